import { isValid, validate } from "ctrf";
import { describe, expect, it } from "vitest";
import { formatCtrf } from "../../src/report/format-ctrf.js";
import { hostileReport } from "./hostile-report.js";
import { hostileTexts } from "./hostile-texts.js";
import { failing, sampleCheck, sampleExchange, sampleReport, smallReport } from "./sample-report.js";

/** Parses a report, and expects that it conforms to the schema of CTRF. */
function parse(text: string) {
  const report: unknown = JSON.parse(text);
  expect(validate(report).errors).toEqual([]);
  if (!isValid(report)) throw new Error("not a CTRF report");
  return report.results;
}

describe("formatCtrf", () => {
  it("writes the tool, the totals, the times and the target of the run", () => {
    const { tests: _, ...about } = parse(
      formatCtrf(
        smallReport({
          packageVersion: "0.3.0",
          serverVersion: "9.1",
          shard: { index: 2, of: 3, checks: 9, restricted: false },
        }),
      ),
    );
    const start = Date.parse("2026-03-01T10:20:30.400Z");
    expect(about).toEqual({
      tool: { name: "accord", version: "0.3.0" },
      summary: {
        ...{ tests: 1, passed: 1, failed: 0, skipped: 0, pending: 0, other: 0, suites: 1 },
        ...{ start, stop: start + 12_345, duration: 12_345 },
      },
      environment: {
        reportName: "accord verify chat",
        appVersion: "9.1",
        testEnvironment: "http://127.0.0.1:4011/api/v1",
        shardId: "2/3",
        healthy: true,
        extra: { contract: "chat", version: "0.1.0", level: 379, seed: 42 },
      },
      extra: {
        exitCode: 0,
        verdict: { word: "PASS", sentence: "1 rule kept, none broken, 2 not exercised." },
        exercise: { exercised: 1, exercisable: 1, percent: 100, minPercent: 50 },
      },
    });
  });

  it("writes a test for each check and each outdated known-failing entry, with the verdict as `rawStatus`", () => {
    const checks = [
      sampleCheck({ id: "a", durationMs: 1.6 }),
      sampleCheck({ id: "b", kind: "probe", outcome: failing }),
      sampleCheck({ id: "c", outcome: { kind: "skipped", reason: "no states" } }),
      sampleCheck({ id: "d", outcome: { kind: "errored", reason: "gone", help: "start it", trace: [] } }),
      sampleCheck({ id: "e", outcome: failing }),
      sampleCheck({ id: "f" }),
      sampleCheck({ id: "g", outcome: { ...failing, kind: "deviated", broken: ["messages.edit.content"] } }),
    ];
    const knownFailing = new Map(["e", "f", "other"].map((id) => [id, "Issue 1"]));
    const { tests, summary } = parse(formatCtrf(smallReport({ checks, knownFailing })));
    expect(tests.map(({ name, status, rawStatus, message }) => [name, status, rawStatus, message])).toEqual([
      ["a", "passed", "passed", undefined],
      ["b", "failed", "failed", "messages.edit.content: expected status 400, got 200"],
      ["c", "skipped", "skipped", "no states"],
      ["d", "failed", "errored", "gone"],
      ["e", "other", "expected", "Known to fail: Issue 1"],
      ["f", "failed", "stale", "It is listed as known to fail, but passes. Remove it from the list."],
      ["g", "passed", "deviating", "messages.edit.content: expected status 400, got 200"],
      ["other", "failed", "stale", "It is listed as known to fail, but no check has this name."],
    ]);
    expect(summary).toMatchObject({ tests: 8, passed: 2, failed: 4, skipped: 1, pending: 0, other: 1, suites: 2 });
    const [a, b, , d] = tests;
    expect(a).toMatchObject({ duration: 2, suite: ["editMessage"], tags: ["messages.edit.content"], type: "case" });
    expect(b).toMatchObject({ type: "probe", extra: { broken: ["messages.edit.content"] } });
    for (const part of ["Breaks messages.edit.content: The content can be changed.\n", ...failing.problems]) {
      expect(b?.trace).toContain(part);
    }
    expect(b?.trace).toContain(sampleExchange.command);
    expect(d?.trace).toContain("start it");
  });

  it.each([
    ["stopped", { stopped: true, partial: true }],
    ["inconclusive", { checks: [sampleCheck({ outcome: { kind: "passed", shown: [] } })] }],
  ])("adds a failed test to a run that was %s", (rawStatus, different) => {
    const { tests, environment } = parse(formatCtrf(smallReport(different)));
    expect(tests.at(-1)).toMatchObject({ name: rawStatus, status: "failed", rawStatus, suite: ["run"] });
    expect(environment?.healthy).toBe(false);
  });

  it("writes every check of a whole run", async () => {
    const report = await sampleReport();
    expect(parse(formatCtrf(report)).tests).toHaveLength(report.checks.length + 1);
  });

  it.each(hostileTexts)("preserves %j, and conforms to the schema", (text) => {
    const { tests, environment } = parse(formatCtrf(hostileReport(text)));
    expect(tests[0]).toMatchObject({ name: `${text}1`, suite: [text] });
    expect(environment?.testEnvironment).toBe(text);
  });
});
