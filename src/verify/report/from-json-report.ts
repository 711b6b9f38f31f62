import type { Check, CheckOutcome } from "../check.js";
import type { VerifyReport } from "../verify-report.js";
import type { JsonCheck, JsonReport } from "./json-report.js";

/** The report from which `toJsonReport` makes the given value. */
export function fromJsonReport(json: JsonReport): VerifyReport {
  const { contract, version, target, level, seed, serverVersion, shard, strict, partial, stopped, coverage } = json;
  const listed = json.checks.flatMap(({ id, knownFailing }) =>
    knownFailing === undefined ? [] : [[id, knownFailing] as const],
  );
  return {
    contract,
    version,
    ...(json.packageVersion === undefined ? {} : { packageVersion: json.packageVersion }),
    target,
    ...(level === undefined ? {} : { level }),
    ...(seed === undefined ? {} : { seed }),
    ...(serverVersion === undefined ? {} : { serverVersion }),
    ...(shard === undefined ? {} : { shard }),
    rules: json.rules.map(({ state: _state, reason: _reason, checks: _checks, ...rule }) => rule),
    checks: json.checks.map(toCheck),
    existing: new Set(json.checks.map(({ id }) => id)),
    knownFailing: new Map([...listed, ...json.stale.map(({ name, reason }) => [name, reason] as const)]),
    strict,
    partial,
    stopped,
    minExercised: json.exercise.minPercent,
    ...(coverage === undefined ? {} : { coverage }),
    startedAt: json.startedAt,
    durationMs: json.durationMs,
    ...(json.waitedMs === undefined ? {} : { waitedMs: json.waitedMs }),
  };
}

function toCheck(json: JsonCheck): Check {
  const { id, kind, operation, summary, rules, reliesOn, durationMs } = json;
  const check = { id, kind, operation, summary, rules, durationMs, outcome: toOutcome(json) };
  return reliesOn === undefined ? check : { ...check, reliesOn };
}

function toOutcome(json: JsonCheck): CheckOutcome {
  const { outcome: kind, problems = [], broken = [], shown, reason = "", help, trace = [] } = json;
  const showing = shown === undefined ? {} : { shown };
  switch (kind) {
    case "passed":
      return { kind, ...showing, ...(json.reason === undefined ? {} : { reason }) };
    case "failed": {
      const { letThrough, forbidden } = json;
      return {
        kind,
        problems,
        broken,
        ...showing,
        ...(letThrough === undefined ? {} : { letThrough }),
        ...(forbidden === undefined ? {} : { forbidden }),
        trace,
      };
    }
    case "deviated":
      return { kind, problems, broken, ...showing, trace };
    case "skipped":
      return { kind, reason };
    case "errored":
      return { kind, reason, ...(help === undefined ? {} : { help }), trace };
  }
}
