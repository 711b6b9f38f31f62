import { describe, expect, it } from "vitest";
import type { CheckOutcome, CheckResult } from "../../src/report/model/check-result.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { createRecorder } from "../../src/verify/create-recorder.js";
import { listRecommendations, rateFailure, skipReliant } from "../../src/verify/deviation.js";
import { sampleCheck, smallReport } from "../report/sample-report.js";

const rules = [
  { id: "errors.code" },
  { id: "errors.status", strength: "should" },
  { id: "errors.text", strength: "should" },
] as const;
const recommendations = listRecommendations(rules);

function failing(broken: readonly string[]): CheckOutcome {
  return { kind: "failed", problems: ["status: expected 400, got 422"], broken, trace: [] };
}

describe("rateFailure", () => {
  it.each<{ name: string; broken: readonly string[]; want: CheckOutcome["kind"] }>([
    { name: "one recommendation", broken: ["errors.status"], want: "deviated" },
    { name: "two recommendations", broken: ["errors.status", "errors.text"], want: "deviated" },
    { name: "a stated rule", broken: ["errors.code"], want: "failed" },
    { name: "a recommendation and a stated rule", broken: ["errors.status", "errors.code"], want: "failed" },
    { name: "no rule, but the schema", broken: [], want: "failed" },
  ])("rates a check that breaks $name as $want", ({ broken, want }) => {
    expect(rateFailure(sampleCheck({ outcome: failing(broken) }), recommendations).outcome.kind).toBe(want);
  });

  it("keeps the failure of a check whose response the schemas forbid, without a broken rule", () => {
    const check = sampleCheck({ outcome: { ...failing(["errors.status"]), forbidden: true } as CheckOutcome });
    expect(rateFailure(check, recommendations).outcome).toMatchObject({ kind: "failed", broken: [] });
  });

  it("rates a check without broken rules by all its rules", () => {
    const outcome: CheckOutcome = { kind: "failed", problems: ["wrong"], trace: [] };
    const check = sampleCheck({ rules: ["errors.text"], outcome });
    expect(rateFailure(check, recommendations).outcome).toMatchObject({ kind: "deviated", broken: ["errors.text"] });
  });
});

describe("the states of rules", () => {
  it("counts the rules that a deviating check shows as kept", () => {
    const outcome: CheckOutcome = {
      kind: "deviated",
      problems: ["wrong"],
      broken: ["errors.text"],
      shown: ["errors.code"],
      trace: [],
    };
    const reported = rules.map((rule) => ({ ...rule, text: "Errors.", resource: "errors" }));
    const check = sampleCheck({ rules: ["errors.code", "errors.text"], outcome });
    const report = smallReport({ rules: reported, checks: [check] });
    const states = toJsonReport(report).rules.map(({ id, state }) => [id, state]);
    expect(states).toEqual(
      expect.arrayContaining([
        ["errors.code", "kept"],
        ["errors.text", "deviating"],
      ]),
    );
  });
});

describe("skipReliant", () => {
  const deviating = sampleCheck({
    id: "a",
    outcome: { kind: "deviated", problems: [], broken: ["errors.text"], trace: [] },
  });
  const outcomeOf = (check: Partial<CheckResult>) => {
    const checks = skipReliant([deviating, sampleCheck({ id: "b", ...check })], recommendations);
    return checks[1]?.outcome;
  };

  it("skips a failure that relies on a recommendation that is not followed", () => {
    const outcome = outcomeOf({ reliesOn: ["errors.text"], outcome: failing(["errors.code"]) });
    expect(outcome).toEqual({
      kind: "skipped",
      reason: "it relies on errors.text, which the server does not follow",
    });
  });

  it.each<{ name: string; check: Partial<CheckResult> }>([
    { name: "a failure that relies on nothing", check: { outcome: failing(["errors.code"]) } },
    {
      name: "a failure that relies on a recommendation that is followed",
      check: { reliesOn: ["errors.status"], outcome: failing(["errors.code"]) },
    },
    {
      name: "a failure whose response the schemas forbid",
      check: { reliesOn: ["errors.text"], outcome: { ...failing(["errors.code"]), forbidden: true } as CheckOutcome },
    },
    { name: "a check that passed", check: { reliesOn: ["errors.text"], outcome: { kind: "passed" } } },
    {
      name: "the check that shows the recommendation",
      check: { reliesOn: ["errors.text"], outcome: failing(["errors.text"]) },
    },
  ])("keeps $name", ({ check }) => {
    expect(outcomeOf(check)).toEqual(check.outcome);
  });
});

describe("createRecorder with recommendations", () => {
  const about = smallReport();
  const check = sampleCheck({ outcome: failing(["errors.status"]) });

  it("reports a deviation, and continues after it with `bail`", () => {
    const { add, report, signal } = createRecorder({ bail: true }, rules);
    add(check);
    expect(report(about).checks[0]?.outcome.kind).toBe("deviated");
    expect(signal.aborted).toBe(false);
  });

  it("reports a failure in a strict run, and ends it with `bail`", () => {
    const { add, report, signal } = createRecorder({ bail: true, strict: true }, rules);
    add(check);
    expect(report(about)).toMatchObject({ strict: true, checks: [{ outcome: { kind: "failed" } }] });
    expect(signal.aborted).toBe(true);
  });
});
