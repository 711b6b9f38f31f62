import { describe, expect, it } from "vitest";
import {
  compareReports,
  comparisonNotes,
  comparisonProblem,
} from "../../../site/components/reports/compare-reports.js";
import { parseReport, readReport } from "../../../site/components/reports/parse-report.js";
import { codeParts, toReportView } from "../../../site/components/reports/report-view.js";
import type { Check } from "../../../src/verify/check.js";
import { formatJson, toJsonReport } from "../../../src/verify/report/format-json.js";
import type { VerifyReport } from "../../../src/verify/verify-report.js";
import { hostileReport } from "../../verify/report/hostile-report.js";
import { failing, sampleCheck, sampleReport, smallReport } from "../../verify/report/sample-report.js";

function json(different: Partial<VerifyReport> = {}) {
  return toJsonReport(smallReport(different));
}

const check = (id: string, rule: string, outcome: Check["outcome"]) => sampleCheck({ id, rules: [rule], outcome });
const ids = (list: readonly { readonly item: { readonly id: string } }[]) => list.map(({ item }) => item.id);

describe("compareReports", () => {
  it("distinguishes newly broken, fixed, still broken and new rules", () => {
    const [content, stream, email] = ["messages.edit.content", "messages.edit.content-with-stream", "users.me.email"];
    const before = json({
      checks: [
        check("one", content ?? "", { kind: "passed" }),
        check("two", stream ?? "", failing),
        check("three", email ?? "", failing),
        check("gone", content ?? "", { kind: "passed" }),
      ],
    });
    const after = json({
      checks: [
        check("one", content ?? "", failing),
        check("two", stream ?? "", { kind: "passed" }),
        check("three", email ?? "", failing),
        check("new", content ?? "", { kind: "skipped", reason: "none" }),
      ],
    });
    const { rules, checks } = compareReports(before, after);
    expect([ids(rules.broken), ids(rules.mended), rules.still.map(({ id }) => id)]).toEqual([
      [content],
      [stream],
      [email],
    ]);
    expect([ids(checks.broken), ids(checks.mended), checks.still.map(({ id }) => id)]).toEqual([
      ["one"],
      ["two"],
      ["three"],
    ]);
    expect([checks.added, checks.removed].map((list) => list.map(({ id }) => id))).toEqual([["new"], ["gone"]]);
  });

  it("finds no difference between a report and itself", async () => {
    const report = toJsonReport(await sampleReport());
    const { rules, checks } = compareReports(report, report);
    for (const { still: _, ...lists } of [rules, checks]) expect(Object.values(lists).flat()).toEqual([]);
  });
});

describe("comparisonProblem", () => {
  it("refuses reports of different contracts, and of a server and a client", () => {
    expect(comparisonProblem(json(), json({ contract: "daemon" }))).toMatch(/chat contract.*daemon contract/);
    const coverage = { exchanges: 1, sections: [], notJudged: [], provoked: [] };
    expect(comparisonProblem(json(), json({ coverage }))).toMatch(/traffic of a client/);
    expect(comparisonProblem(json(), json())).toBeUndefined();
  });
});

describe("comparisonNotes", () => {
  it("names the differences between the runs", () => {
    expect(comparisonNotes(json(), json())).toEqual([]);
    expect(comparisonNotes(json(), json({ level: 1, strict: true, partial: true, version: "9" }))).toHaveLength(4);
  });
});

describe("parseReport", () => {
  it.each([
    ["a small report", smallReport()],
    ["hostile texts", hostileReport("</script><img src=x onerror=alert(1)>{{ 1 }}")],
  ])("reads %s", (_, report) => {
    const parsed = parseReport("r.json", formatJson(report));
    expect(parsed).toMatchObject({ kind: "report", report: { format: 1 } });
    if (parsed.kind === "report")
      expect(toReportView(parsed.report).verdict.word).toMatch(/PASS|FAIL|COULD|INCONCLUSIVE/);
  });

  it.each([
    ["<!doctype html>", /not JSON.*not the one of --html/],
    ["", /not JSON/],
    ['{"log":{"entries":[]}}', /recording \(HAR\)/],
    ["[]", /the top level must be object/],
    ["null", /the top level must be object/],
    [JSON.stringify({ ...json(), format: 2 }), /\/format must be equal to constant/],
    [JSON.stringify({ ...json(), checks: [{ id: 1 }] }), /\/checks\/0/],
  ])("rejects %.30s", (text, message) => {
    expect(parseReport("r.json", text)).toMatchObject({ kind: "problem", problem: expect.stringMatching(message) });
  });

  it("does not read a file that is too large", async () => {
    const file = new File(["{}"], "r.json");
    Object.defineProperty(file, "size", { value: 65 * 1024 * 1024 });
    expect(await readReport(file)).toMatchObject({
      kind: "problem",
      problem: "It is larger than 64 MiB, so it is not read.",
    });
  });
});

describe("codeParts", () => {
  it("splits a text at its pairs of backticks", () => {
    expect(codeParts("a `b` c `d")).toEqual([
      { text: "a ", isCode: false },
      { text: "b", isCode: true },
      { text: " c `d", isCode: false },
    ]);
  });
});
