import { escapeJson } from "../text/visible-text.js";
import { commandOf } from "./model/describe.js";
import { type AnyReport, modelOf } from "./model/to-json-report.js";
import { listTestCases, type TestCase } from "./test-cases.js";

const ctrfStatuses = ["passed", "failed", "skipped", "pending", "other"] as const;

/**
 * The status in CTRF; `rawStatus` holds the verdict. `skipped` means that a test did not run. A check that is known to fail did run, and
 * neither passed nor is its failure news, so it is `other`, which readers show without failing the run. CTRF has no status for what could
 * not run; as `other` it would pass unnoticed.
 */
const statuses: Readonly<Record<TestCase["status"], (typeof ctrfStatuses)[number]>> = {
  passed: "passed",
  deviating: "passed",
  failed: "failed",
  stale: "failed",
  errored: "failed",
  stopped: "failed",
  inconclusive: "failed",
  expected: "other",
  skipped: "skipped",
};

/**
 * Formats the result of a verification in the Common Test Report Format (https://ctrf.io): a test for each check, with its operation as
 * the suite and its rules as tags. Like JUnit XML, it has failed tests for outdated known-failing entries, and for a run that was stopped or
 * exercised too few rules.
 */
export function formatCtrf(given: AnyReport): string {
  const report = modelOf(given);
  const { contract, version, packageVersion, target, level, seed, serverVersion, shard, exitCode, durationMs } = report;
  const cases = listTestCases(report);
  const start = Date.parse(report.startedAt) || 0;
  const duration = Math.round(durationMs);
  const ctrf = {
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    generatedBy: "accord",
    results: {
      tool: { name: "accord", version: packageVersion },
      summary: {
        tests: cases.length,
        ...Object.fromEntries(
          ctrfStatuses.map((wanted) => [wanted, cases.filter(({ status }) => statuses[status] === wanted).length]),
        ),
        suites: new Set(cases.map(({ suite }) => suite)).size,
        start,
        stop: start + duration,
        duration,
      },
      tests: cases.map(toTest),
      environment: {
        reportName: commandOf(report),
        appVersion: serverVersion,
        testEnvironment: target,
        shardId: shard && `${shard.index}/${shard.of}`,
        healthy: exitCode === 0,
        extra: { contract, version, level, seed },
      },
      extra: {
        exitCode,
        verdict: report.verdict,
        exercise: report.exercise,
        outages: report.outages,
        flickers: report.flickers,
      },
    },
  };
  return `${escapeJson(JSON.stringify(ctrf, undefined, 2))}\n`;
}

function toTest({ name, suite, status, durationMs, message, details, check }: TestCase): object {
  return {
    name,
    status: statuses[status],
    duration: Math.round(durationMs),
    suite: [suite],
    message,
    trace: details,
    rawStatus: status,
    tags: check?.rules,
    type: check?.kind,
    extra: check && { summary: check.summary, broken: check.broken },
  };
}
