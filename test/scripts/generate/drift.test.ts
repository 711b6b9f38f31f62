import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyProject } from "../../support/project-copy.js";

it("names each generated file that is out of date, missing or without a source, and the command that fixes it", async () => {
  using copy = copyProject();
  appendFileSync(join(copy.folder, "generated/chat/operations.ts"), "// by hand\n");
  rmSync(join(copy.folder, "generated/guides/feature-levels.md"));
  writeFileSync(join(copy.folder, "generated/daemon/old.ts"), "");
  copy.replace("src/report/html/page/main.ts", "2000", "3000");
  copy.replace("openapi/paths/users_me_subscriptions.yaml", "Removes the caller", "Takes the caller");
  const { code, output } = await copy.run("check-generated");
  expect(code).toBe(1);
  expect(output.split("\n")).toEqual(
    expect.arrayContaining([
      "generated/guides/feature-levels.md is missing",
      "generated/chat/openapi.yaml is out of date",
      "generated/chat/operations.ts is out of date",
      "generated/daemon/old.ts has no source",
      "generated/verify/page-script.ts is out of date",
    ]),
  );
  expect(output).toMatch(/\nFix with: npm run generate\n$/);
  expect(output).not.toContain("generated/guides/open-questions.md");
});
