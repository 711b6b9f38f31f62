import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyProject } from "../../support/project-copy.js";

it("names every generated file that is changed, missing or left over, and the command that mends it", async () => {
  using copy = copyProject();
  appendFileSync(join(copy.folder, "generated/chat/operations.ts"), "// by hand\n");
  rmSync(join(copy.folder, "docs/feature-levels.md"));
  writeFileSync(join(copy.folder, "generated/daemon/old.ts"), "");
  expect(await copy.run("check-generated")).toEqual({
    code: 1,
    output:
      "docs/feature-levels.md is missing\n" +
      "generated/chat/operations.ts is not what the contracts give\n" +
      "generated/daemon/old.ts is made from nothing\n" +
      "Fix with: npm run generate\n",
  });
  // Written from scratch, all is as it was, to the byte.
  expect(await copy.run("generate")).toMatchObject({ code: 0 });
  for (const path of ["docs/feature-levels.md", "generated/chat/operations.ts"]) {
    expect(readFileSync(join(copy.folder, path), "utf8")).toBe(readFileSync(path, "utf8"));
  }
  expect(existsSync(join(copy.folder, "generated/daemon/old.ts"))).toBe(false);
});
