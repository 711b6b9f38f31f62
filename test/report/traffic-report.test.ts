import { describe, expect, it } from "vitest";
import { formatJunit } from "../../src/report/format-junit.js";
import { formatMarkdown } from "../../src/report/format-markdown.js";
import { formatSummary } from "../../src/report/format-summary.js";
import { formatHtml } from "../../src/report/html/format-html.js";
import { exitCode } from "../../src/report/model/to-json-report.js";
import { formatKnownFailing } from "../../src/verify/known-failing.js";
import { trafficReport as report } from "./sample-report.js";

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

  it("keeps known findings of operations that were not called", () => {
    expect(formatKnownFailing(report)).toContain("client other: request.type x");
  });
});
