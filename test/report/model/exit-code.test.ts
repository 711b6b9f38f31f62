import { describe, expect, it } from "vitest";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { exitCode, toJsonReport } from "../../../src/report/model/to-json-report.js";
import { failing, sampleCheck, smallReport } from "../sample-report.js";

const passed: CheckOutcome = { kind: "passed" };
const skipped: CheckOutcome = { kind: "skipped", reason: "no states" };
const errored: CheckOutcome = { kind: "errored", reason: "gone", trace: [] };

describe("the verdict on a run", () => {
  it.each<[code: number, outcomes: CheckOutcome[], known: string[], sentence: string]>([
    [0, [passed], [], "PASS 1 rule kept, none broken, 2 not exercised."],
    [0, [passed, skipped], [], "PASS 1 rule kept, none broken, 2 not exercised."],
    [0, [passed, skipped, skipped], [], "PASS 1 rule kept, none broken, 2 not exercised. 2 of 3 checks were skipped."],
    [0, [passed, failing], ["case 1"], "PASS 1 rule broken, all known, 2 not exercised."],
    [0, [failing], ["case 0"], "PASS 1 rule broken, all known, 2 not exercised."],
    [1, [failing], [], "FAIL 1 rule broken."],
    [1, [failing, errored], [], "FAIL 1 rule broken and 1 check could not run."],
    [1, [passed], ["case 0"], "FAIL 1 known-failing entry out of date."],
    [1, [passed], ["case 9"], "FAIL 1 known-failing entry out of date."],
    [1, [errored, passed], ["case 1"], "FAIL 1 known-failing entry out of date and 1 check could not run."],
    [2, [errored, passed], [], "COULD NOT RUN 1 check could not run."],
    [2, [errored, failing], ["case 1"], "COULD NOT RUN 1 rule broken and 1 check could not run."],
    [2, [skipped, skipped], [], "COULD NOT RUN No check ran: all were skipped."],
    [2, [], [], "COULD NOT RUN No check ran."],
  ])("is %i for %j when %j are known to fail", (code, outcomes, known, sentence) => {
    const report = smallReport({
      checks: outcomes.map((outcome, index) => sampleCheck({ id: `case ${index}`, outcome })),
      knownFailing: new Map(known.map((name) => [name, "known"])),
    });
    expect(exitCode(report)).toBe(code);
    const verdict = toJsonReport(report).verdict;
    expect(`${verdict.word} ${verdict.sentence}`).toBe(sentence);
  });

  it.each<[outcomes: CheckOutcome[], sentence: string]>([
    [[passed], "1 rule kept, none broken, 2 not exercised."],
    [[passed, failing], "1 rule broken."],
    [[errored], "1 check could not run."],
    [[], "0 rules kept, none broken, 3 not exercised."],
  ])("is 2 for a stopped run with %j", (outcomes, sentence) => {
    const checks = outcomes.map((outcome, index) => sampleCheck({ id: `case ${index}`, outcome }));
    const report = smallReport({ checks, stopped: true, partial: true });
    expect(exitCode(report)).toBe(2);
    expect(toJsonReport(report).verdict).toEqual({
      word: "STOPPED",
      sentence: `The run was stopped before it was complete. So far: ${sentence}`,
    });
  });

  const two = ["messages.edit.content", "users.me.email"];
  const half: CheckOutcome = { kind: "passed", shown: ["users.me.email"], reason: "it has no content" };
  const none: CheckOutcome = { kind: "passed", shown: [], reason: "it has no content" };

  it.each<[code: number, outcome: CheckOutcome, minExercised: number | undefined]>([
    [0, half, undefined],
    [0, half, 50],
    [3, half, 51],
    [3, none, undefined],
    [3, none, 1],
    [0, none, 0],
    [1, failing, 100],
  ])("is %i for %j with a minimum of %i percent", (code, outcome, minExercised) => {
    const checks = [sampleCheck({ rules: two, outcome })];
    expect(exitCode(smallReport({ checks, minExercised }))).toBe(code);
  });

  it("says how many rules were exercised, why not more, and what to do if they are too few", () => {
    const report = smallReport({ checks: [sampleCheck({ rules: two, outcome: none })] });
    expect(toJsonReport(report).verdict).toEqual({
      word: "INCONCLUSIVE",
      sentence:
        "None broken, but only 0 of the 2 rules that these checks can show were exercised (0 %); a verdict needs 50 %. " +
        "2 rules because it has no content. --min-exercised lowers the minimum, and --only restricts the run to what the server can show.",
    });
  });

  it("ignores rules that no check can show", () => {
    const report = smallReport({ checks: [sampleCheck()], minExercised: 100 });
    expect(exitCode(report)).toBe(0);
  });

  it("omits the number of rules that were not exercised if there are none", () => {
    const report = smallReport({ rules: smallReport().rules.slice(0, 1) });
    expect(toJsonReport(report).verdict.sentence).toBe("1 rule kept, none broken.");
  });

  it("is 1 for a failure that breaks no rule", () => {
    const report = smallReport({ checks: [sampleCheck({ rules: [], outcome: failing })] });
    expect(exitCode(report)).toBe(1);
    expect(toJsonReport(report).verdict.sentence).toBe("1 operation not as described.");
  });
});
