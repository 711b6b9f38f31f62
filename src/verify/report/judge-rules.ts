import { nearestNames } from "../../contract/nearest-names.js";
import type { Check } from "../check.js";
import type { ReportedRule, RuleState, VerifyReport } from "../verify-report.js";
import { groupBy } from "./group-by.js";
import { verdictOf } from "./verdict.js";

/** A rule with its state and the checks that can show it. */
export interface JudgedRule extends ReportedRule {
  readonly state: RuleState;
  readonly checks: readonly Check[];
  /** Why it was not exercised. Undefined if it was, or if no check can show it. */
  readonly reason?: string;
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

/** The rules of a report with their states, and the outdated entries of its known-failing list. */
export interface Judgement {
  readonly rules: readonly JudgedRule[];
  readonly stale: readonly StaleEntry[];
}

/**
 * Judges each rule by its checks. A rule is broken if a check broke it, even one that is known to fail, and kept if a check showed it and
 * none broke it. A recommendation that a check broke is deviating, unless the run is strict.
 */
export function judgeRules(report: VerifyReport): Judgement {
  const concerned = report.checks.flatMap((check) =>
    [...new Set([...check.rules, ...brokenRules(check)])].map((id) => ({ id, check })),
  );
  const byRule = groupBy(concerned, ({ id }) => id);
  const rules = report.rules.map((rule): JudgedRule => {
    const checks = (byRule.get(rule.id) ?? []).map(({ check }) => check);
    const state = stateOf(rule, checks, report.strict === true);
    const reason = state === "not-exercised" ? reasonOf(checks) : undefined;
    return { ...rule, state, checks, ...(reason === undefined ? {} : { reason }) };
  });
  return { rules, stale: staleEntries(report) };
}

function stateOf({ id, strength, untestable }: ReportedRule, checks: readonly Check[], isStrict: boolean): RuleState {
  if (checks.some((check) => brokenRules(check).includes(id)))
    return strength === "should" && !isStrict ? "deviating" : "broken";
  if (checks.some((check) => shownRules(check).includes(id))) return "kept";
  return untestable === undefined ? "not-exercised" : "untestable";
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
