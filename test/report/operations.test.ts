import { describe, expect, it } from "vitest";
import { formatAnnotations } from "../../src/cli/github-annotations.js";
import { formatMarkdown } from "../../src/report/format-markdown.js";
import { formatSummary } from "../../src/report/format-summary.js";
import { formatHtml } from "../../src/report/html/format-html.js";
import type { CheckOutcome, CheckResult } from "../../src/report/model/check-result.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import type { ReportedOperation, VerifyReport } from "../../src/report/model/verify-report.js";
import { failing, sampleCheck, smallReport, unfinishedReport } from "./sample-report.js";

const passed: CheckOutcome = { kind: "passed" };
const withoutStates: CheckOutcome = { kind: "skipped", reason: "give --states", need: { kind: "states" } };

/** A report on one operation with two rules, and the outcomes of the checks of each. */
function reportOf(
  presence: ReportedOperation["presence"],
  [first, second]: readonly [CheckOutcome, CheckOutcome],
  different: Partial<VerifyReport> = {},
): VerifyReport {
  const rules = ["messages.edit.content", "messages.edit.content-with-stream"];
  const check = (id: string, rule: string, outcome: CheckOutcome) => sampleCheck({ id, rules: [rule], outcome });
  const checks = [check("a", rules[0] ?? "", first), check("b", rules[1] ?? "", second)];
  const operation = { id: "editMessage", title: "PATCH /messages", presence, checks: ["a", "b"], rules };
  return smallReport({ operations: [operation], checks, ...different });
}

describe("the table of operations", () => {
  it.each<[string, VerifyReport, ...(string | number)[]]>([
    ["done if every rule is kept", reportOf("there", [passed, passed]), "done", 2, 2, 2],
    [
      "done if a recommendation is not followed",
      reportOf("there", [passed, { ...failing, kind: "deviated", broken: [] }]),
      ...["partial", 1, 1, 2],
    ],
    [
      "partial if a rule is not exercised",
      reportOf("there", [passed, { kind: "skipped", reason: "no uploads" }]),
      ...["partial", 1, 1, 2],
    ],
    ["failing if a rule is broken", reportOf("there", [passed, failing]), "failing", 1, 2, 2],
    [
      "failing if a check without rules fails",
      reportOf("there", [passed, { ...failing, broken: [], shown: ["messages.edit.content-with-stream"] }]),
      ...["failing", 2, 2, 2],
    ],
    [
      "failing if a failure is known",
      reportOf("there", [passed, failing], { knownFailing: new Map([["b", "Issue 1"]]) }),
      ...["failing", 1, 2, 2],
    ],
    ["needing states if all checks do", reportOf("there", [withoutStates, withoutStates]), "needs-states", 0, 0, 2],
    ["partial if some checks need states", reportOf("there", [passed, withoutStates]), "partial", 1, 1, 2],
    [
      "unknown if no request tells",
      reportOf("unknown", [
        { kind: "skipped", reason: "like any other path" },
        { kind: "skipped", reason: "like any other path" },
      ]),
      ...["unknown", 0, 0, 2],
    ],
    [
      "not implemented, whatever its checks say",
      reportOf("not-implemented", [passed, failing]),
      ...["not-implemented", 0, 0, 2],
    ],
  ])("shows an operation as %s", (_, report, ...want) => {
    const [operation] = toJsonReport(report).operations ?? [];
    expect([operation?.state, operation?.kept, operation?.exercised, operation?.all]).toEqual(want);
  });

  const workflow = (different: Partial<CheckResult>) => {
    const { operations: [edit] = [], ...report } = reportOf("there", [passed, passed]);
    const other = {
      id: "getMessages",
      title: "GET /messages",
      presence: "there",
      checks: ["w"],
      rules: ["users.me.email"],
    };
    const failed = sampleCheck({ id: "w", kind: "workflow", operation: "messages", outcome: failing, ...different });
    const read = sampleCheck({ id: "r", operation: "getMessages", rules: ["users.me.email"] });
    return {
      ...report,
      operations: [
        { ...edit, checks: ["a", "b", "w"] },
        { ...other, checks: ["w", "r"] },
      ],
      checks: [...report.checks, read, failed],
    } as VerifyReport;
  };

  it.each<[string, Partial<CheckResult>, string[]]>([
    ["the operation whose rule it breaks", { rules: ["users.me.email"] }, ["getMessages"]],
    ["all that it calls if it breaks a rule of none", { rules: ["limits.size"] }, ["editMessage", "getMessages"]],
  ])("blames a failed workflow on %s", (_, different, want) => {
    const operations = toJsonReport(workflow(different)).operations ?? [];
    expect(operations.filter(({ state }) => state === "failing").map(({ id }) => id)).toEqual(want);
  });

  it("comes first, with one line per operation, and lists what is missing once", () => {
    const text = formatSummary(unfinishedReport, { columns: 80 });
    expect(text).toMatch(
      new RegExp(
        [
          "^operations {2,}state {2,}kept {2}exercised {2}rules {2}call",
          "editMessage +partial +1 +1 +2 {2}PATCH /messages/.message_…",
          "uploadFile +unknown +0 +0 +0 {2}POST /user_uploads",
          "getOwnUser +done +1 +1 +1 {2}GET /users/me",
          "getMessages +not implemented +- +- +0 {2}GET /messages",
          "1 not implemented: status 501",
          "",
          "rules  ",
        ].join("\n"),
      ),
    );
    expect(text).toMatch(/\nFAIL {2}1 of 2 operations is not implemented; no rule is broken\.\n$/);
    expect(text.match(/status 501/g)).toHaveLength(1);
    expect(text).not.toContain("curl");
    expect(text).not.toContain("operation getMessages");
    expect(
      text
        .split("\n")
        .slice(0, 6)
        .every((line) => line.length <= 80),
    ).toBe(true);
  });

  it("follows with the failures of operations that exist", () => {
    const [content, ...others] = unfinishedReport.checks;
    const checks = [{ ...content, outcome: failing } as CheckResult, ...others];
    const text = formatSummary({ ...unfinishedReport, checks });
    expect(text).toMatch(/^operations[\s\S]*\n1 not implemented: status 501\n\nmessages\.edit\.content {2}FAIL\n/);
    expect(text).toMatch(/\nFAIL {2}1 of 2 operations is not implemented; 1 rule broken\.\n$/);
    expect(formatAnnotations({ ...unfinishedReport, checks }).match(/^::error/gm)).toHaveLength(1);
  });

  it("passes if the missing operations are known, and still says how many", () => {
    const report = {
      ...unfinishedReport,
      knownFailing: new Map([["operation getMessages", "Later"]]),
      minExercised: 0,
    };
    expect(toJsonReport(report).verdict).toEqual({
      word: "PASS",
      sentence: "1 of 2 operations is not implemented, as listed; 2 rules kept, none broken, 1 not exercised.",
    });
  });

  it("counts the operations that are done if there are many", () => {
    const ids = Array.from({ length: 40 }, (_, at) => `operation${at}`);
    const text = formatSummary(
      smallReport({
        operations: ids.map((id) => ({ id, title: id, presence: "there", checks: [id], rules: [] })),
        checks: ids.map((id) => sampleCheck({ id, operation: id, outcome: id === "operation7" ? failing : passed })),
      }),
    );
    expect(text).toMatch(/^operations.*\noperation7 +failing .*\n39 operations done\n\n/);
  });

  it("omits operations that checks only call on the way", () => {
    const { operations = [], ...report } = reportOf("there", [passed, passed]);
    const other: ReportedOperation = { id: "other", title: "GET /other", presence: "there", checks: ["a"], rules: [] };
    expect(formatSummary({ ...report, operations: [...operations, other] })).not.toMatch(/^other/m);
  });

  it("is the same in Markdown and HTML", () => {
    const markdown = formatMarkdown(unfinishedReport);
    expect(markdown.indexOf("| ` editMessage ` | partial | 1 | 1 | 2 |")).toBeGreaterThan(0);
    expect(markdown).toContain("| ` getMessages ` | not implemented | - | - | 0 |");
    expect(markdown).not.toContain("<details>");
    const page = formatHtml(unfinishedReport);
    expect(page).toMatch(
      /getMessages<\/a> <small>GET \/messages<\/small><\/th><td><span class="badge not-implemented">/,
    );
    expect(page.indexOf('id="operations"')).toBeLessThan(page.indexOf('id="rules"'));
    expect(page).not.toContain('id="failures"');
  });
});

describe("what to do next", () => {
  it("groups skipped checks by what they need, with a template of a state", () => {
    expect(toJsonReport(unfinishedReport).needs).toMatchObject([
      { need: { kind: "operation", operations: ["getMessages"] }, checks: 1, more: 1, operations: ["getMessages"] },
      { need: { kind: "operation", operations: ["uploadFile"] }, checks: 0, more: 1 },
      { need: { kind: "state", state: "channel" }, checks: 1, more: 0, help: expect.stringContaining("stream_id") },
      { need: { kind: "states" }, checks: 1, more: 0, operations: ["uploadFile"] },
    ]);
    const text = formatSummary(unfinishedReport);
    expect(text).toContain(
      [
        "what to do next",
        "  implement getMessages: 1 check, and 1 with other operations",
        "  implement uploadFile: 1 check, together with other operations",
        "  state `channel`: 1 check of 1 operation; here is what a setup returns",
        "      Provider state channel: A channel exists.",
        "      To POST /states answer",
        "      {",
        '        "stream_id": <integer>',
        "      }",
        "  give --states: 1 check of 1 operation",
        "7 more checks also call uploadFile, editMessage",
        "",
      ].join("\n"),
    );
    expect(text).not.toContain("skipped: ");
    for (const page of [formatMarkdown(unfinishedReport), formatHtml(unfinishedReport)])
      expect(page.replaceAll("&#44;", ",")).toMatch(/7 more checks also call uploadFile/);
  });

  it("shows the templates of the three smallest steps, says no sentence twice, and the others in a line each", () => {
    const states = Array.from({ length: 20 }, (_, at) => `state${at}`);
    const checks = states.flatMap((state, at) =>
      Array.from({ length: 30 - at }, (_, number) =>
        sampleCheck({
          id: `${state} ${number}`,
          outcome: { kind: "skipped", reason: "", need: { kind: "state", state } },
        }),
      ),
    );
    const stateHelp = new Map(states.map((state) => [state, `template of ${state}\nAnswer 501 without it.`]));
    const text = formatSummary(smallReport({ checks, stateHelp }));
    expect(text.match(/template of \w+/g)).toEqual(["template of state0", "template of state1", "template of state2"]);
    expect(text.match(/Answer 501/g)).toHaveLength(1);
    expect(text).toContain("  state `state11`: 19 checks\n  and 8 more\n");
  });

  it("names the value that a state lacks", () => {
    const need = { kind: "state", state: "channel", value: "stream_id" } as const;
    const text = formatSummary(
      smallReport({ checks: [sampleCheck({ outcome: { kind: "skipped", reason: "", need } })] }),
    );
    expect(text).toContain("\n  state `channel` with `stream_id`: 1 check\n");
  });
});
