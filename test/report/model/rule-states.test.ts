import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../../src/report/format-markdown.js";
import { formatSummary } from "../../../src/report/format-summary.js";
import { formatHtml } from "../../../src/report/html/format-html.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { rulesOfRun } from "../../../src/report/model/judge-rules.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { RuleState } from "../../../src/report/model/verdict.js";
import { failing, sampleCheck, sampleReport, smallReport } from "../sample-report.js";

const passed: CheckOutcome = { kind: "passed" };
const skipped: CheckOutcome = { kind: "skipped", reason: "no states" };
const errored: CheckOutcome = { kind: "errored", reason: "gone", trace: [] };

function reportOn(outcomes: readonly CheckOutcome[], rules = ["messages.edit.content"]) {
  return smallReport({
    checks: outcomes.map((outcome, index) => sampleCheck({ id: `case ${index}`, rules, outcome })),
  });
}

describe("the states of rules", () => {
  it.each<[outcomes: string, given: CheckOutcome[], want: RuleState]>([
    ["no check", [], "not-exercised"],
    ["one that passed", [passed], "kept"],
    ["one that failed", [failing], "broken"],
    ["one that passed and one that failed", [passed, failing], "broken"],
    ["one that failed and one that passed", [failing, passed], "broken"],
    ["one that was skipped", [skipped], "not-exercised"],
    ["one that could not run", [errored], "not-exercised"],
    ["one that could not run and one that passed", [errored, skipped, passed], "kept"],
    ["one that could not run and one that failed", [errored, failing], "broken"],
  ])("judges a rule by %s", (_, outcomes, want) => {
    const [rule] = toJsonReport(reportOn(outcomes)).rules;
    expect(rule).toMatchObject({ id: "messages.edit.content", state: want });
    expect(rule?.checks).toHaveLength(outcomes.length);
  });

  it.each<[RuleState, CheckOutcome[]]>([
    ["untestable", []],
    ["untestable", [skipped]],
    ["untestable", [passed]],
    ["broken", [failing]],
  ])("judges a rule with a reason why it is untestable as %s with the checks %j", (want, outcomes) => {
    expect(toJsonReport(reportOn(outcomes, ["users.me.logged"])).rules[3]?.state).toBe(want);
  });

  it("counts as broken only the rules that the problems break", () => {
    const rules = ["messages.edit.content", "users.me.email"];
    const outcome = { ...failing, broken: ["users.me.email"] };
    const judged = toJsonReport(smallReport({ checks: [sampleCheck({ rules, outcome })] }));
    expect(judged.rules.map(({ state }) => state)).toEqual(["not-exercised", "not-exercised", "broken", "untestable"]);
  });

  it("counts as kept only the rules that a passed check showed, and gives the reason for the others", () => {
    const rules = ["messages.edit.content", "users.me.email"];
    const outcome = { kind: "passed", shown: ["users.me.email"], reason: "the reply has no /content" } as const;
    const checks = [sampleCheck({ id: "a", rules, outcome: skipped }), sampleCheck({ id: "b", rules, outcome })];
    const judged = toJsonReport(smallReport({ checks })).rules;
    expect(judged.map(({ state }) => state)).toEqual(["not-exercised", "not-exercised", "kept", "untestable"]);
    expect(judged.map(({ reason }) => reason)).toEqual(["the reply has no /content", undefined, undefined, undefined]);
  });

  it("counts known failures like other failures", () => {
    const report = { ...reportOn([failing]), knownFailing: new Map([["case 0", "known"]]) };
    expect(toJsonReport(report).rules[0]?.state).toBe("broken");
    expect(toJsonReport(report).stale).toEqual([]);
  });

  it.each<[string, CheckOutcome, boolean]>([
    ["passes", passed, true],
    ["fails", failing, false],
    ["was skipped", skipped, false],
    ["could not run", errored, false],
  ])("says whether a known-failing entry is outdated if its check %s", (_, outcome, isStale) => {
    const report = { ...reportOn([outcome]), knownFailing: new Map([["case 0", "known"]]) };
    const want = { name: "case 0", reason: "known", why: "passes", nearest: [] };
    expect(toJsonReport(report).stale).toEqual(isStale ? [want] : []);
  });

  it("suggests similar checks for a known-failing entry that matches no check of a complete run", () => {
    const names = ["case editMessage/content_with_channel", "case editMessage/topic", "probe getUser id is negative"];
    const checks = names.map((id) => sampleCheck({ id }));
    const knownFailing = new Map([
      ["case editMesage/content_with_chanel", "typing"],
      ["something else", "gone"],
    ]);
    const report = smallReport({ checks, knownFailing });
    expect(toJsonReport(report).stale).toMatchObject([
      { why: "unknown", nearest: [names[0], names[1]] },
      { why: "unknown", nearest: [] },
    ]);
    expect(toJsonReport({ ...report, partial: true }).stale).toEqual([]);
  });

  it("concerns only what its checks can show if only some checks were selected", () => {
    const report = toJsonReport(smallReport({ partial: true }));
    expect(rulesOfRun(report).map(({ id }) => id)).toEqual(["messages.edit.content"]);
    expect(report.totals.rules).toMatchObject({ kept: 1, "not-exercised": 0, untestable: 0 });
    expect(report.rules[1]).toMatchObject({ state: "not-exercised", reason: "not part of this run", checks: [] });
    expect(report.verdict.sentence).toBe("1 rule kept, none broken.");
    const others = "3 more rules of the contract not part of this run";
    expect(formatSummary(report)).toContain(
      `\nmessages     1       -          -              -           -\n${others}\n`,
    );
    expect(formatMarkdown(report)).toContain(`\n\n${others}\n`);
    const page = formatHtml(report);
    expect(page).toContain(`${others}.`);
    expect(page).not.toContain("users.me.email");
  });

  it("judges every rule of the contract once", async () => {
    const report = await sampleReport();
    const { rules } = toJsonReport(report);
    expect(rules.map(({ id }) => id)).toEqual(report.rules.map(({ id }) => id));
    expect(rules.filter(({ state }) => state === "kept").length).toBeGreaterThan(300);
    expect(
      rules.filter(({ state }) => state === "untestable").every(({ untestable }) => untestable !== undefined),
    ).toBe(true);
  });
});
