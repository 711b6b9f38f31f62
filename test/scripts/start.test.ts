import { expect, it } from "vitest";
import { copyProject } from "../support/project-copy.js";

it("npm start checks the contracts, serves and verifies both services, and says how to call them", {
  timeout: 180_000,
}, async () => {
  using copy = copyProject();
  const { code, output } = await copy.run("start --once");
  expect(output).toMatch(
    /ok {6}REST contract[^\n]*\nok {6}RPC contract[^\n]*\nok {6}RPC cases[^\n]*\nok {6}generated code is current/,
  );
  expect(output).toMatch(
    /accord verify chat[\s\S]*\nPASS {2}\d+ rules kept, none broken[\s\S]*accord verify daemon[\s\S]*\nPASS /,
  );
  for (const name of ["chat mock", "chat server", "daemon mock", "daemon"]) {
    expect(output).toMatch(new RegExp(`\\n${name} +http://127\\.0\\.0\\.1:\\d+`));
  }
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
