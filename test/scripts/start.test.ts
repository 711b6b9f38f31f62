import { expect, it } from "vitest";
import { copyProject } from "../support/project-copy.js";

it("npm start checks the contracts, serves and verifies both services, and ends with --once", {
  timeout: 180_000,
}, async () => {
  using copy = copyProject();
  const { code, output } = await copy.run("start --once");
  expect(output).toMatch(
    /ok {6}REST contract[^\n]*\nok {6}Workflows[^\n]*\nok {6}RPC contract[^\n]*\nok {6}RPC cases[^\n]*\nok {6}generated code is current/,
  );
  expect(output).toMatch(
    /accord verify chat[\s\S]*\nPASS {2}\d+ rules kept, none broken\.[\s\S]*accord verify daemon[\s\S]*\nPASS {2}\d+ rules kept, none broken\./,
  );
  // What is about to close is not worth an address.
  expect(output).toMatch(/\nAll is well\. Without --once, all four servers stay up\.\s*$/);
  expect(output).not.toContain("Ctrl+C");
  expect(code).toBe(0);
});

it("npm start serves nothing from a contract that is broken", async () => {
  using copy = copyProject();
  copy.replace("openapi/paths/users_me_subscriptions.yaml", "summary:", "sumary:");
  const { code, output } = await copy.run("start --once");
  expect(output).toContain("not served, because of: REST contract");
  expect(output).not.toContain("chat mock");
  expect(code).toBe(1);
});
