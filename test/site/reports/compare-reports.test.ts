import { describe, expect, it } from "vitest";
import {
  compareReports,
  comparisonNotes,
  comparisonProblem,
} from "../../../site/components/reports/compare-reports.js";
import type { CheckResult } from "../../../src/report/model/check-result.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { failing, sampleCheck, sampleReport, smallReport } from "../../report/sample-report.js";

function json(different: Partial<VerifyReport> = {}) {
  return toJsonReport(smallReport(different));
}

const check = (id: string, rule: string, outcome: CheckResult["outcome"]) =>
  sampleCheck({ id, rules: [rule], outcome });

describe("compareReports", () => {
  it("distinguishes newly broken, fixed, new and removed rules and checks", () => {
    const [content, stream, email] = ["messages.edit.content", "messages.edit.content-with-stream", "users.me.email"];
    const before = json({
      checks: [
        check("one", content, { kind: "passed" }),
        check("two", stream, failing),
        check("three", email, failing),
        check("gone", content, { kind: "passed" }),
      ],
    });
    const after = json({
      checks: [
        check("one", content, failing),
        check("two", stream, { kind: "passed" }),
        check("three", email, failing),
        check("new", content, { kind: "skipped", reason: "none" }),
      ],
    });
    expect(compareReports(before, after).map(({ effect, kind, id, change }) => [effect, kind, id, change])).toEqual([
      ["broken", "rule", content, "kept → broken"],
      ["fixed", "rule", stream, "broken → kept"],
      ["broken", "check", "one", "passed → failed"],
      ["fixed", "check", "two", "failed → passed"],
      ["added", "check", "new", "skipped"],
      ["removed", "check", "gone", "passed"],
    ]);
  });

  it("finds no difference between a report and itself", async () => {
    const report = toJsonReport(await sampleReport());
    expect(compareReports(report, report)).toEqual([]);
  });
});

describe("comparisonProblem", () => {
  it("accepts two reports of one contract, and names what differs otherwise", () => {
    const coverage = { exchanges: 1, sections: [], notJudged: [], provoked: [] };
    expect(comparisonProblem(json(), json())).toBeUndefined();
    expect(comparisonProblem(json(), json({ contract: "daemon" }))).toContain("the other about the daemon contract");
    expect(comparisonProblem(json(), json({ coverage }))).toContain("the traffic of a client");
  });
});

describe("comparisonNotes", () => {
  it("names what differs between the runs", () => {
    const later = json({ level: 415, strict: true, partial: true, startedAt: "2020-01-01T00:00:00.000Z" });
    expect(comparisonNotes(json(), later)).toEqual([
      "The levels differ: 379 and 415.",
      "Only one of the runs was strict about recommendations.",
      "Only some checks ran, so that rules may seem fixed or new.",
      "The earlier report is the newer one.",
    ]);
    expect(comparisonNotes(json(), json())).toEqual([]);
  });
});
