import { nearestNames } from "../../contract/nearest-names.js";
import { groupBy } from "../../text/group-by.js";
import { type JsonCheck, type JsonReport, type JsonRule, ruleSchema, type StaleEntry } from "./json-report.js";
import { membersOf } from "./schema.js";
import type { RuleState } from "./verdict.js";
import type { ReportedRule, VerifyReport } from "./verify-report.js";

/**
 * Judges each rule by its checks. A rule is broken if a check broke it, even one that is known to fail, and kept if a check showed it and
 * none broke it. A recommendation that a check broke is deviating, unless the run is strict. Nothing is said of a rule of operations that the
 * server does not have, whatever other operations show.
 */
export function judgeRules(run: VerifyReport, checks: readonly JsonCheck[]): JsonRule[] {
  const { rules, strict = false } = run;
  const concerned = checks.flatMap((check) =>
    [...new Set([...check.rules, ...(check.broken ?? [])])].map((id) => ({ id, check })),
  );
  const byRule = groupBy(concerned, ({ id }) => id);
  const missing = ownedByMissing(run);
  return rules.map((rule) => {
    const ofRule = (byRule.get(rule.id) ?? []).map(({ check }) => check);
    const operation = missing.get(rule.id);
    const state = operation === undefined ? stateOf(rule, ofRule, strict) : stateOf(rule, [], strict);
    const lacking = operation && `the server does not have ${operation}`;
    const why = isOutside(run, ofRule) ? "not part of this run" : (lacking ?? reasonOf(ofRule));
    const reason = state === "not-exercised" ? why : undefined;
    return membersOf(ruleSchema, {
      ...rule,
      strength: rule.strength ?? "must",
      state,
      reason,
      checks: ofRule.map(({ id }) => id),
    });
  });
}

function stateOf(
  { id, strength, untestable }: ReportedRule,
  checks: readonly JsonCheck[],
  isStrict: boolean,
): RuleState {
  if (checks.some(({ broken = [] }) => broken.includes(id)))
    return strength === "should" && !isStrict ? "deviating" : "broken";
  // What is not compared cannot be kept.
  if (untestable !== undefined) return "untestable";
  // A check that the end of the server kept from running could have broken it.
  const isUnknown = checks.some(({ need }) => need?.kind === "server");
  const isKept =
    !isUnknown && checks.some(({ outcome, rules, shown = outcome === "passed" ? rules : [] }) => shown.includes(id));
  if (isKept) return "kept";
  return "not-exercised";
}

/** The rules that belong only to operations that the server does not have, with the first of these. */
function ownedByMissing({ operations = [] }: VerifyReport): ReadonlyMap<string, string> {
  const [missing, others] = [true, false].map((isMissing) =>
    operations.filter(({ presence }) => (presence === "not-implemented") === isMissing),
  );
  const owned = new Set(others?.flatMap(({ rules }) => rules));
  return new Map(missing?.flatMap(({ id, rules }) => rules.flatMap((rule) => (owned.has(rule) ? [] : [[rule, id]]))));
}

/** The rules that a run concerns: all, unless only some checks were selected; then those that one of them can show. */
export function rulesOfRun(report: RunScope & Pick<JsonReport, "rules">): JsonRule[] {
  return report.rules.filter(({ checks }) => !isOutside(report, checks));
}

/** What tells which rules a run concerns. */
type RunScope = Pick<VerifyReport, "partial" | "stopped" | "coverage">;

/** Any traffic may show any rule, and a run that was stopped concerns what it has not reached. */
function isOutside({ partial = false, stopped = false, coverage }: RunScope, ofRule: readonly unknown[]): boolean {
  return partial && !stopped && coverage === undefined && ofRule.length === 0;
}

/** The reason of the first passed check of a rule, or else of the first check with a reason. */
function reasonOf(checks: readonly JsonCheck[]): string | undefined {
  const reasoned = checks.filter(({ reason }) => reason !== undefined);
  return (reasoned.find(({ outcome }) => outcome === "passed") ?? reasoned[0])?.reason;
}

/** Lists the entries of the known-failing list that are outdated. */
export function listStale(
  { knownFailing, partial = false, existing }: VerifyReport,
  checks: readonly JsonCheck[],
): StaleEntry[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const names = existing ?? (partial ? undefined : new Set(byId.keys()));
  return [...knownFailing].flatMap(([name, reason]): StaleEntry[] => {
    const check = byId.get(name);
    if (check?.verdict === "stale") return [{ name, reason, why: "passes", nearest: [] }];
    const isUnknown = check === undefined && names !== undefined && !names.has(name);
    return isUnknown ? [{ name, reason, why: "unknown", nearest: nearestNames(name, [...names]) }] : [];
  });
}
