import { describe, expect, it } from "vitest";
import { formatKnownFailing } from "../../../src/verify/known-failing.js";
import { exitCode } from "../../../src/verify/report/exit-code.js";
import { formatJson } from "../../../src/verify/report/format-json.js";
import { formatJunit } from "../../../src/verify/report/format-junit.js";
import { formatMarkdown } from "../../../src/verify/report/format-markdown.js";
import { formatSummary } from "../../../src/verify/report/format-summary.js";
import { fromJsonReport } from "../../../src/verify/report/from-json-report.js";
import { formatHtml } from "../../../src/verify/report/html/format-html.js";
import type { VerifyReport } from "../../../src/verify/verify-report.js";

const report: VerifyReport = {
  contract: "chat",
  version: "1.0.0",
  target: "http://127.0.0.1:4011/api/v1",
  level: 415,
  rules: [
    { id: "request.name", text: "Names are right.", resource: "request" },
    { id: "request.type", text: "Types are right.", resource: "request" },
  ],
  checks: [
    {
      id: "client edit",
      kind: "request",
      operation: "edit",
      summary: "1 requests follow the contract.",
      rules: ["request.name"],
      outcome: { kind: "passed" },
      durationMs: 0,
    },
  ],
  knownFailing: new Map([["client other: request.type x", "Not called here."]]),
  existing: new Set(["client edit", "client other: request.type x"]),
  minExercised: 0,
  coverage: {
    exchanges: 1,
    sections: [
      {
        title: "operations",
        items: [
          { name: "edit", count: 1 },
          { name: "other", count: 0 },
        ],
      },
      {
        title: "parameters",
        items: [
          { name: "<topic>", operation: "edit", count: 0 },
          { name: "x", operation: "other", count: 0 },
        ],
      },
    ],
    notJudged: [{ reason: "the path is outside the API", count: 2 }],
    refusals: [{ operation: "edit", count: 2, first: "400 BAD_REQUEST Nothing to <change>" }],
    provoked: [{ name: "rate-limit", count: 3, repeated: 1, wentOn: 1, stopped: 1 }],
  },
  startedAt: "2026-01-02T03:04:05.000Z",
  durationMs: 5,
};

describe("the report on traffic", () => {
  it("states what was covered, provoked and not judged", () => {
    const text = formatSummary(report, { columns: 200 });

    expect(text).toMatch(/^operations +1 +1$/m);
    expect(text).toContain("operations never shown: other");
    expect(text).toContain("parameters never shown: edit <topic>\n");
    expect(text).toContain(
      "provoked rate-limit: 3 times; the client repeated the request once, went on with another once, sent nothing more once",
    );
    expect(text).toContain("edit was refused 2 times without a finding, first: 400 BAD_REQUEST Nothing to <change>");
    expect(text).toContain("2 exchanges not judged: the path is outside the API");
    expect(text).toContain("1 of 2 rules that traffic can show exercised (50 %)");
    expect(text).not.toContain("--only");
  });

  it("has a verdict if no minimum is set, and none below a minimum", () => {
    expect(exitCode(report)).toBe(0);
    expect(exitCode({ ...report, minExercised: 51 })).toBe(3);
    expect(formatSummary({ ...report, minExercised: 51 })).toMatch(
      /INCONCLUSIVE {2}None broken, but the traffic exercised only 1 of 2 rules/,
    );
  });

  it("names its command in every format, and escapes names", () => {
    expect(formatHtml(report)).toContain("<p>accord proxy chat</p>");
    expect(formatHtml(report)).toContain("edit &lt;topic&gt;");
    expect(formatJunit(report)).toContain('<testsuites name="accord proxy chat"');
    expect(formatMarkdown(report)).toContain("accord proxy chat");
  });

  it("survives a round trip through JSON", () => {
    expect(fromJsonReport(JSON.parse(formatJson(report))).coverage).toEqual(report.coverage);
  });

  it("keeps known findings of operations that were not called", () => {
    expect(formatKnownFailing(report)).toContain("client other: request.type x");
  });
});
