import { describe, expect, it } from "vitest";
import { CouldNotRunError } from "../../src/base/could-not-run-error.js";
import type { CheckResult } from "../../src/report/model/check-result.js";
import { createRecorder } from "../../src/verify/create-recorder.js";

const about = { contract: "daemon", version: "1.0.0", target: "unix:/d.sock", rules: [] } as const;

function check(id: string, kind: "passed" | "failed" = "passed"): CheckResult {
  const outcome = kind === "passed" ? { kind } : { kind, problems: ["no"], trace: [] };
  return { id, kind: "case", operation: "log", summary: id, rules: [], outcome, durationMs: 1 };
}

describe("createRecorder", () => {
  it("reports the checks sorted by id, and is not partial after a complete run", () => {
    const { add, report, signal } = createRecorder({}, []);
    for (const id of ["b", "a", "c"]) add(check(id));
    expect(report(about)).toMatchObject({
      checks: [{ id: "a" }, { id: "b" }, { id: "c" }],
      partial: false,
      stopped: false,
    });
    expect(signal.aborted).toBe(false);
  });

  it("ends the run at the first unknown failure with `bail`", () => {
    const { add, signal } = createRecorder({ bail: true, knownFailing: new Map([["a", "old"]]) }, []);
    add(check("a", "failed"));
    expect(signal.aborted).toBe(false);
    add(check("b", "failed"));
    expect(signal.aborted).toBe(true);
  });

  it.each(["onPlanned", "onCheck"] as const)("ends the run if %s throws, and rethrows the error", (name) => {
    const listener = () => {
      throw new Error("my reporter failed");
    };
    const { plan, add, report, signal } = createRecorder({ [name]: listener }, []);
    plan(2);
    add(check("a"));
    expect(signal.aborted).toBe(true);
    expect(() => report(about)).toThrow("my reporter failed");
  });

  it("throws if the run was stopped before the first check", () => {
    const stopped = { signal: AbortSignal.abort() };
    expect(() => createRecorder(stopped, []).report(about)).toThrow(CouldNotRunError);
    const { add, report } = createRecorder(stopped, []);
    add(check("a"));
    expect(report(about)).toMatchObject({ stopped: true, partial: true });
  });
});
