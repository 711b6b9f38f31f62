import type { Check } from "../check.js";
import type { ReportedRule, RuleState, VerifyReport } from "../verify-report.js";
import { groupBy } from "./group-by.js";
import { nearestNames } from "./nearest-names.js";
import { hasProblems, verdictOf } from "./verdict.js";

/** A rule with its state and the checks that can show it. */
export interface JudgedRule extends ReportedRule {
  readonly state: RuleState;
  readonly checks: readonly Check[];
  /** Why it was not exercised. Undefined if it was, or if no check can show it. */
  readonly reason?: string;
}

/** An operation with the checks that show no rule but only check schemas. */
export interface JudgedOperation {
  readonly operation: string;
  readonly state: Exclude<RuleState, "untestable" | "deviating">;
  readonly checks: readonly Check[];
}

/** An outdated entry of the known-failing list. Each of them fails the run. */
export interface StaleEntry {
  readonly name: string;
  readonly reason: string;
  /** `passes`: the check passed. `unknown`: no check has this name. */
  readonly why: "passes" | "unknown";
  /** Names of checks similar to the unknown one, the most similar first. */
  readonly nearest: readonly string[];
}

/** The rules and operations of a report with their states. */
export interface Judgement {
  readonly rules: readonly JudgedRule[];
  readonly operations: readonly JudgedOperation[];
  readonly stale: readonly StaleEntry[];
}

/**
 * Judges each rule by its checks. A rule is broken if a check broke it, even one that is known to fail, and kept if a check showed it and
 * none broke it. A recommendation that a check broke is deviating, unless the run is strict. A check that shows no rule of the report, or
 * fails without breaking one, counts for its operation.
 */
export function judgeRules(report: VerifyReport): Judgement {
  const { rules, checks } = report;
  const known = new Set(rules.map(({ id }) => id));
  const shown = checks.flatMap((check) =>
    [...new Set([...check.rules, ...brokenRules(check)])].map((id) => ({ id, check })),
  );
  const byRule = groupBy(shown, ({ id }) => id);
  const withoutRule = checks.filter((check) => {
    const concerned = hasProblems(check) ? brokenRules(check) : check.rules;
    return !concerned.some((id) => known.has(id));
  });
  return {
    rules: rules.map((rule) => {
      const ofRule = (byRule.get(rule.id) ?? []).map(({ check }) => check);
      const state = stateOf(ofRule, {
        breaks: (check) => brokenRules(check).includes(rule.id),
        shows: (check) => shownRules(check).includes(rule.id),
      });
      const untestable = state === "not-exercised" && rule.untestable !== undefined;
      const reason = state === "not-exercised" && !untestable ? reasonOf(ofRule) : undefined;
      const isDeviating = state === "broken" && rule.strength === "should" && report.strict !== true;
      const judgedState = untestable ? "untestable" : isDeviating ? "deviating" : state;
      const judged = { ...rule, state: judgedState, checks: ofRule } as const;
      return reason === undefined ? judged : { ...judged, reason };
    }),
    operations: [...groupBy(withoutRule, ({ operation }) => operation)].map(([operation, ofOperation]) => ({
      operation,
      state: stateOf(ofOperation, {
        breaks: ({ outcome }) => outcome.kind === "failed",
        shows: ({ outcome }) => outcome.kind === "passed",
      }),
      checks: ofOperation,
    })),
    stale: staleEntries(report),
  };
}

/** The rules that a check with problems broke: those of its outcome, or all that it can show. */
export function brokenRules({ rules, outcome }: Check): readonly string[] {
  switch (outcome.kind) {
    case "failed":
      return outcome.broken ?? rules;
    case "deviated":
      return outcome.broken;
    case "passed":
    case "skipped":
    case "errored":
      return [];
  }
}

/** The rules that a check showed: those of its outcome, or all that it can show if it passed. */
export function shownRules({ rules, outcome }: Check): readonly string[] {
  switch (outcome.kind) {
    case "passed":
      return outcome.shown ?? rules;
    case "failed":
    case "deviated":
      return outcome.shown ?? [];
    case "skipped":
    case "errored":
      return [];
  }
}

/** Whether a check breaks or shows a rule or operation. */
interface RuleEffect {
  readonly breaks: (check: Check) => boolean;
  readonly shows: (check: Check) => boolean;
}

function stateOf(checks: readonly Check[], { breaks, shows }: RuleEffect): JudgedOperation["state"] {
  if (checks.some(breaks)) return "broken";
  return checks.some(shows) ? "kept" : "not-exercised";
}

/** The reason of the first passed check of a rule, or else of the first check with a reason. */
function reasonOf(checks: readonly Check[]): string | undefined {
  const reasons = checks.flatMap(({ outcome }) =>
    "reason" in outcome && outcome.reason !== undefined ? { kind: outcome.kind, reason: outcome.reason } : [],
  );
  return (reasons.find(({ kind }) => kind === "passed") ?? reasons[0])?.reason;
}

function staleEntries(report: VerifyReport): StaleEntry[] {
  const { knownFailing, partial = false } = report;
  const byId = new Map(report.checks.map((check) => [check.id, check]));
  const names = report.existing ?? (partial ? undefined : new Set(byId.keys()));
  return [...knownFailing].flatMap(([name, reason]): StaleEntry[] => {
    const check = byId.get(name);
    if (check === undefined) {
      const isUnknown = names !== undefined && !names.has(name);
      return isUnknown ? [{ name, reason, why: "unknown", nearest: nearestNames(name, [...names]) }] : [];
    }
    return verdictOf(check, knownFailing) === "stale" ? [{ name, reason, why: "passes", nearest: [] }] : [];
  });
}

/** Says what is wrong with an outdated entry of the known-failing list. */
export function describeStale(why: StaleEntry["why"]): string {
  switch (why) {
    case "passes":
      return "It is listed as known to fail, but passes. Remove it from the list.";
    case "unknown":
      return "It is listed as known to fail, but no check has this name.";
  }
}

/** The states of rules with their displayed names, in the order of table columns. */
export const ruleStates = {
  kept: "kept",
  broken: "broken",
  deviating: "deviating",
  "not-exercised": "not exercised",
  untestable: "untestable",
} as const satisfies Record<RuleState, string>;

/** Counts rules by state. */
export function countStates(rules: readonly JudgedRule[]): Record<RuleState, number> {
  const counts = { kept: 0, broken: 0, deviating: 0, "not-exercised": 0, untestable: 0 };
  for (const { state } of rules) counts[state]++;
  return counts;
}
