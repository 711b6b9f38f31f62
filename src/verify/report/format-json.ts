import type { Check } from "../check.js";
import type { VerifyReport } from "../verify-report.js";
import { exitCode, measureExercise } from "./exit-code.js";
import type { JsonCheck, JsonReport } from "./json-report.js";
import { brokenRules, countStates, judgeRules } from "./judge-rules.js";
import { countVerdicts, verdictOf } from "./verdict.js";
import { escapeJson } from "./visible-text.js";

/**
 * Formats the result of a verification as JSON, as described by `jsonReportSchema`, with members in the order of the schema. Escapes
 * control and invisible characters.
 */
export function formatJson(report: VerifyReport): string {
  return `${escapeJson(JSON.stringify(toJsonReport(report), undefined, 2))}\n`;
}

/** The value that `formatJson` writes. */
export function toJsonReport(report: VerifyReport): JsonReport {
  const { contract, version, target, level, seed, serverVersion, shard, startedAt, durationMs, checks } = report;
  const { strict = false, waitedMs, partial = false, stopped = false } = report;
  const { rules, stale } = judgeRules(report);
  return {
    format: 1,
    contract,
    version,
    ...(report.packageVersion === undefined ? {} : { packageVersion: report.packageVersion }),
    target,
    ...(level === undefined ? {} : { level }),
    ...(seed === undefined ? {} : { seed }),
    ...(serverVersion === undefined ? {} : { serverVersion }),
    ...(shard === undefined ? {} : { shard }),
    strict,
    partial,
    stopped,
    startedAt,
    durationMs,
    ...(waitedMs === undefined ? {} : { waitedMs }),
    exitCode: exitCode(report),
    totals: { rules: countStates(rules), checks: countVerdicts(report) },
    exercise: measureExercise(report, rules),
    rules: rules.map(({ id, text, source, strength = "must", resource, state, untestable, reason, checks: shown }) => ({
      id,
      text,
      ...(source === undefined ? {} : { source }),
      strength,
      resource,
      state,
      ...(untestable === undefined ? {} : { untestable }),
      ...(reason === undefined ? {} : { reason }),
      checks: shown.map((check) => check.id),
    })),
    checks: checks.map((check) => toJsonCheck(check, report)),
    stale,
    ...(report.coverage === undefined ? {} : { coverage: report.coverage }),
  };
}

function toJsonCheck(check: Check, { knownFailing }: VerifyReport): JsonCheck {
  const { id, kind, operation, summary, rules, reliesOn, outcome, durationMs } = check;
  const known = knownFailing.get(id);
  return {
    id,
    kind,
    operation,
    summary,
    rules,
    ...(reliesOn === undefined ? {} : { reliesOn }),
    verdict: verdictOf(check, knownFailing),
    outcome: outcome.kind,
    durationMs,
    ...(known === undefined ? {} : { knownFailing: known }),
    ...detailsOf(check, outcome),
  };
}

function detailsOf(check: Check, outcome: Check["outcome"]): Partial<JsonCheck> {
  switch (outcome.kind) {
    case "passed": {
      const { shown, reason } = outcome;
      return { ...(shown === undefined ? {} : { shown }), ...(reason === undefined ? {} : { reason }) };
    }
    case "failed":
    case "deviated": {
      const { problems, shown, trace } = outcome;
      const { letThrough, forbidden } = outcome.kind === "failed" ? outcome : {};
      return {
        problems,
        broken: brokenRules(check),
        ...(shown === undefined ? {} : { shown }),
        ...(letThrough ? { letThrough } : {}),
        ...(forbidden ? { forbidden } : {}),
        trace,
      };
    }
    case "skipped":
      return { reason: outcome.reason };
    case "errored": {
      const { reason, help, trace } = outcome;
      return { reason, ...(help === undefined ? {} : { help }), trace };
    }
  }
}
