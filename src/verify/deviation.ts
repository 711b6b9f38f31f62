import type { StrengthOfRule } from "../contract/strength.js";
import type { CheckResult } from "../report/model/check-result.js";
import { brokenRules } from "../report/model/check-result.js";

/** A rule with its strength. */
export interface RatedRule extends Pick<StrengthOfRule, "strength"> {
  readonly id: string;
}

/** The ids of the rules that the contract only recommends. */
export function listRecommendations(rules: readonly RatedRule[]): ReadonlySet<string> {
  return new Set(rules.flatMap(({ id, strength }) => (strength === "should" ? id : [])));
}

/**
 * Turns the failure of a check into a deviation if it breaks nothing but recommendations. A response that the schemas
 * forbid stays a failure, but breaks no rule.
 */
export function rateFailure(check: CheckResult, recommendations: ReadonlySet<string>): CheckResult {
  if (check.outcome.kind !== "failed") return check;
  const { letThrough: _, forbidden, ...outcome } = check.outcome;
  const broken = brokenRules(check);
  const isDeviation = broken.length > 0 && broken.every((id) => recommendations.has(id));
  if (isDeviation && forbidden) return { ...check, outcome: { ...check.outcome, broken: [] } };
  return isDeviation ? { ...check, outcome: { ...outcome, kind: "deviated", broken } } : check;
}

/** Skips failed checks that rely on a recommendation if another check found that the server does not follow it. */
export function skipReliant(checks: readonly CheckResult[], recommendations: ReadonlySet<string>): CheckResult[] {
  const ignored = new Set(checks.flatMap(brokenRules).filter((id) => recommendations.has(id)));
  return checks.map((check) => {
    if (check.outcome.kind !== "failed" && check.outcome.kind !== "deviated") return check;
    if (check.outcome.kind === "failed" && check.outcome.forbidden) return check;
    const broken = brokenRules(check);
    // A check is not skipped because of a recommendation that it shows itself.
    const reason = check.reliesOn?.find((id) => ignored.has(id) && !broken.includes(id));
    if (reason === undefined) return check;
    return {
      ...check,
      outcome: { kind: "skipped", reason: `it relies on ${reason}, which the server does not follow` },
    };
  });
}
