import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** The output of a logger after running this code with `logger` in scope. */
function logged(code: string, level = "debug"): Record<string, unknown>[] {
  const script = `
    import { createLogger } from "./reference/logging/create-logger.js";
    const logger = createLogger(${JSON.stringify(level)});
    ${code}`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("createLogger", () => {
  it("logs the type and stack of a fault, but not its message", () => {
    const [line, ...others] = logged(`
    class Broken extends Error { name = "Broken"; code = "E_BROKEN"; }
    logger.fault(new Broken("s3cr3t\\n    at s3cr3t\\n  $& s3cr3t"), "editMessage");
    logger.fault("s3cr3t", "getMessages");
    logger.fault(undefined, "getMessages");`);
    expect(line).toMatchObject({
      level: 50,
      operation: "editMessage",
      error: "Broken",
      code: "E_BROKEN",
      msg: "fault",
    });
    expect(line?.stack).toEqual(expect.arrayContaining([expect.stringMatching(/^at /)]));
    expect(others).toHaveLength(2);
    expect(JSON.stringify([line, ...others])).not.toContain("s3cr3t");
  });

  it.each([
    ["silent", []],
    ["error", ["fault"]],
    ["warn", ["fault"]],
    ["info", ["request", "fault"]],
  ])("writes at level %s: %j", (level, want) => {
    const lines = logged(
      `logger.request({ requestId: "1", method: "GET", operation: "healthz", status: 200, durationMs: 1 });
     logger.fault(new Error("x"), "healthz");`,
      level,
    );
    expect(lines.map(({ msg }) => msg)).toEqual(want);
  });
});
