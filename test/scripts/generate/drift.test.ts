import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyProject } from "../../support/project-copy.js";

it("names each generated file that is out of date, missing or without a source, and the command that fixes it", {
  timeout: 120_000,
}, async () => {
  using copy = copyProject();
  appendFileSync(join(copy.folder, "generated/chat/operations.ts"), "// by hand\n");
  rmSync(join(copy.folder, "docs/feature-levels.md"));
  writeFileSync(join(copy.folder, "generated/daemon/old.ts"), "");
  copy.replace("src/verify/report/html/page/main.ts", "2000", "3000");
  expect(await copy.run("check-generated")).toEqual({
    code: 1,
    output:
      "docs/feature-levels.md is missing\n" +
      "generated/chat/operations.ts is out of date\n" +
      "generated/daemon/old.ts has no source\n" +
      "generated/verify/page-script.ts is out of date\n" +
      "Fix with: npm run generate\n",
  });
  // Generation restores the files byte for byte.
  expect(await copy.run("generate")).toMatchObject({ code: 0 });
  for (const path of ["docs/feature-levels.md", "generated/chat/operations.ts"]) {
    expect(readFileSync(join(copy.folder, path), "utf8")).toBe(readFileSync(path, "utf8"));
  }
  expect(existsSync(join(copy.folder, "generated/daemon/old.ts"))).toBe(false);
});
