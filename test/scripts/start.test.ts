import { describe, expect, it } from "vitest";
import { copyProject } from "../support/project-copy.js";
import { isThorough } from "../support/thorough.js";

describe("npm start", () => {
  // CI runs the command itself as well.
  it.runIf(isThorough)("checks the contracts, serves and verifies both services, and exits with --once", async () => {
    using copy = copyProject();
    const { code, output } = await copy.run("start --once");
    expect(output).toMatch(
      /ok {6}REST contract[^\n]*\nok {6}Workflows[^\n]*\nok {6}RPC contract[^\n]*\nok {6}RPC cases[^\n]*\nok {6}generated code is up to date/,
    );
    expect(output).toMatch(
      /accord verify chat[\s\S]*\nPASS {2}\d+ rules kept, none broken, 2 not exercised\.[\s\S]*accord verify daemon[\s\S]*\nPASS {2}\d+ rules kept, none broken\./,
    );
    // With --once, the servers are about to close, so their addresses are useless.
    expect(output).toMatch(/\nAll checks passed\. Without --once, the four servers keep running\.\n/);
    expect(output).toMatch(/\nverify chat: \d+\/\d+/);
    expect(output).not.toContain("Ctrl+C");
    expect(code).toBe(0);
  });

  it.runIf(isThorough)("verifies nothing if a contract is broken", async () => {
    using copy = copyProject();
    copy.replace("openapi/paths/users_me_subscriptions.yaml", "summary:", "sumary:");
    const { code, output } = await copy.run("start --once");
    expect(output).toContain("references not verified; failed checks: REST contract");
    expect(output).not.toContain("accord verify");
    expect(code).toBe(1);
  });
});
