import type { CheckOutcome, CheckResult } from "./model/check-result.js";
import { defined } from "./model/defined.js";
import type { JsonCheck, JsonReport } from "./model/json-report.js";
import { neededState } from "./model/list-needs.js";
import type { VerifyReport } from "./model/verify-report.js";

/** The result of a run from which `toJsonReport` makes the given report. */
export function fromJsonReport(json: JsonReport): VerifyReport {
  const {
    format: _,
    exitCode: _code,
    verdict: _verdict,
    totals: _totals,
    exercise,
    stale,
    needs = [],
    ...about
  } = json;
  const operations = json.operations?.map(({ state: _, kept: _kept, exercised: _exercised, all: _all, ...one }) => one);
  const help = needs.flatMap(({ need, help: text }) => {
    if (text === undefined || need.kind === "operation") return [];
    return [[neededState(need), text] as const];
  });
  const known = json.checks.flatMap(({ id, knownFailing }) =>
    knownFailing === undefined ? [] : [[id, knownFailing] as const],
  );
  return {
    ...about,
    ...(operations === undefined ? {} : { operations }),
    stateHelp: new Map(help),
    rules: json.rules.map(({ state: _state, reason: _reason, checks: _checks, ...rule }) => rule),
    checks: json.checks.map(toCheck),
    existing: new Set(json.checks.map(({ id }) => id)),
    knownFailing: new Map([...known, ...stale.map(({ name, reason }) => [name, reason] as const)]),
    minExercised: exercise.minPercent,
  };
}

function toCheck({ verdict: _, outcome: kind, knownFailing: _known, ...json }: JsonCheck): CheckResult {
  const { problems, broken, shown, letThrough, forbidden, reason, need, help, trace, ...about } = json;
  const details = defined({ problems, broken, shown, letThrough, forbidden, reason, need, help, trace });
  return { ...about, outcome: { kind, ...required[kind], ...details } as CheckOutcome };
}

/** The members that each outcome has, because the schema of reports does not require them. */
const required = {
  passed: {},
  failed: { problems: [], broken: [], trace: [] },
  deviated: { problems: [], broken: [], trace: [] },
  skipped: { reason: "" },
  errored: { reason: "", trace: [] },
} as const satisfies Record<CheckOutcome["kind"], object>;
