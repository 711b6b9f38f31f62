import { escapeJson } from "../../text/visible-text.js";
import type { CheckResult } from "./check-result.js";
import { defined } from "./defined.js";
import type { JsonCheck, JsonReport, RunVerdict } from "./json-report.js";
import { judgeOperations } from "./judge-operations.js";
import { brokenRules, judgeRules } from "./judge-rules.js";
import { listNeeds } from "./list-needs.js";
import { describeVerdict, exitCodeOf, measureExercise } from "./run-verdict.js";
import { hasProblems, type Tally, tallyStates, tallyVerdicts, verdictOf } from "./verdict.js";
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

/** The model of a report: computed from the result of a run, or the JSON report itself. */
export function modelOf(report: AnyReport): ReportModel {
  if (!("format" in report)) return toJsonReport(report);
  return { ...report, verdict: report.verdict ?? describeVerdict(report) };
}

/** Judges the result of a run: the value that `formatJson` writes. */
export function toJsonReport(report: VerifyReport): ReportModel {
  const {
    contract,
    version,
    packageVersion,
    target,
    level,
    seed,
    serverVersion,
    accounts,
    shard,
    startedAt,
    durationMs,
  } = report;
  const { strict = false, partial = false, stopped = false, waitedMs, coverage, beyond } = report;
  const { rules, stale } = judgeRules(report);
  const checks = report.checks.map((check) => toJsonCheck(check, report));
  const totals = { rules: counts(tallyStates(rules)), checks: counts(tallyVerdicts(checks)) };
  const exercise = measureExercise(report, rules);
  const about = {
    format: 1 as const,
    ...defined({
      contract,
      version,
      packageVersion,
      target,
      level,
      seed,
      serverVersion,
      accounts,
      shard,
      strict,
      partial,
      stopped,
    }),
    ...defined({ startedAt, durationMs, waitedMs }),
    exitCode: exitCodeOf(totals.checks, { stopped, stale, exercise }),
  };
  const judged = {
    totals,
    exercise,
    ...defined({ beyond, operations: judgeOperations(report, rules, checks) }),
    needs: listNeeds(checks, report),
    rules: rules.map(({ id, text, source, strength = "must", resource, state, untestable, reason, checks: ofRule }) =>
      defined({ id, text, source, strength, resource, state, untestable, reason, checks: ofRule.map((one) => one.id) }),
    ),
    checks,
    stale,
    ...defined({ coverage }),
  };
  return { ...about, verdict: describeVerdict({ ...about, ...judged }), ...judged };
}

function counts<Key extends string>(tallies: readonly Tally<Key>[]): Record<Key, number> {
  return Object.fromEntries(tallies.map(({ key, count }) => [key, count])) as Record<Key, number>;
}

/** The members that only some outcomes have. */
type Details = Pick<JsonCheck, "problems" | "shown" | "reason" | "need" | "help" | "trace"> & {
  readonly letThrough?: boolean;
  readonly forbidden?: boolean;
};

function toJsonCheck(check: CheckResult, { knownFailing }: VerifyReport): JsonCheck {
  const { id, kind, operation, summary, rules, reliesOn, outcome, durationMs } = check;
  const { problems, shown, letThrough, forbidden, reason, need, help, trace }: Details = outcome;
  return defined({
    ...{ id, kind, operation, summary, rules, reliesOn },
    verdict: verdictOf(check, knownFailing),
    outcome: outcome.kind,
    durationMs,
    knownFailing: knownFailing.get(id),
    problems,
    broken: hasProblems(check) ? brokenRules(check) : undefined,
    shown,
    letThrough: letThrough || undefined,
    forbidden: forbidden || undefined,
    reason,
    need,
    help,
    trace,
  });
}
