import { escapeJson } from "../../text/visible-text.js";
import { brokenRules, type CheckResult, hasProblems } from "./check-result.js";
import {
  checkSchema,
  type ExitCode,
  type JsonCheck,
  type JsonReport,
  jsonReportSchema,
  type RunVerdict,
} from "./json-report.js";
import { judgeOperations } from "./judge-operations.js";
import { judgeRules, listStale, rulesOfRun } from "./judge-rules.js";
import { listNeeds } from "./list-needs.js";
import { describeVerdict, exitCodeOf, measureExercise } from "./run-verdict.js";
import { membersOf } from "./schema.js";
import { type Tally, tallyStates, tallyVerdicts, type Verdict } from "./verdict.js";
import type { VerifyReport } from "./verify-report.js";

/** The model of all formats: a JSON report with its verdict. */
export interface ReportModel extends JsonReport {
  readonly verdict: RunVerdict;
}

/** What reports are made of: the result of a run, or a JSON report. */
export type AnyReport = VerifyReport | JsonReport;

/**
 * Formats the result of a verification as JSON, as described by `jsonReportSchema`, with members in the order of the schema. Escapes
 * control and invisible characters.
 */
export function formatJson(report: AnyReport): string {
  return `${escapeJson(JSON.stringify(modelOf(report), undefined, 2))}\n`;
}

/** The exit code of a verification. It is 2 if a check could not run, or if no check ran. */
export function exitCode(report: VerifyReport): ExitCode {
  return toJsonReport(report).exitCode;
}

/** The model of a report: computed from the result of a run, or the JSON report itself. */
export function modelOf(report: AnyReport): ReportModel {
  if (!("format" in report)) return toJsonReport(report);
  return { ...report, verdict: report.verdict ?? describeVerdict(report) };
}

/** Judges the result of a run: the value that `formatJson` writes. */
export function toJsonReport(run: VerifyReport): ReportModel {
  const { strict = false, partial = false, stopped = false } = run;
  const checks = run.checks.map((check) => toJsonCheck(check, run.knownFailing));
  const rules = judgeRules(run, checks);
  const stale = listStale(run, checks);
  const totals = {
    rules: counts(tallyStates(rulesOfRun({ ...run, partial, rules }))),
    checks: counts(tallyVerdicts(checks)),
  };
  const exercise = measureExercise(run, rules, checks);
  const report = membersOf(jsonReportSchema, {
    ...run,
    ...{ format: 1 as const, strict, partial, stopped, totals, exercise, rules, checks, stale },
    exitCode: exitCodeOf(totals.checks, { ...run, stopped, stale, exercise }),
    operations: judgeOperations(run, rules, checks),
    needs: listNeeds(checks, run),
    verdict: undefined,
  });
  const verdict = describeVerdict(report);
  return { ...membersOf(jsonReportSchema, { ...report, verdict }), verdict };
}

function counts<Key extends string>(tallies: readonly Tally<Key>[]): Record<Key, number> {
  return Object.fromEntries(tallies.map(({ key, count }) => [key, count])) as Record<Key, number>;
}

function toJsonCheck(check: CheckResult, knownFailing: VerifyReport["knownFailing"]): JsonCheck {
  const { outcome } = check;
  const { letThrough, forbidden }: { readonly kind: string; letThrough?: boolean; forbidden?: boolean } = outcome;
  return membersOf(checkSchema, {
    ...outcome,
    ...check,
    verdict: verdictOf(check, knownFailing),
    outcome: outcome.kind,
    knownFailing: knownFailing.get(check.id),
    broken: hasProblems(check) ? brokenRules(check) : undefined,
    letThrough: letThrough || undefined,
    forbidden: forbidden || undefined,
  });
}

function verdictOf({ id, outcome }: CheckResult, knownFailing: VerifyReport["knownFailing"]): Verdict {
  const known = knownFailing.has(id);
  switch (outcome.kind) {
    case "passed":
      return known ? "stale" : "passed";
    case "failed":
      return known ? "expected" : "failed";
    case "deviated":
      return known ? "expected" : "deviating";
    case "skipped":
    case "errored":
      return outcome.kind;
  }
}
