import { groupBy } from "../../text/group-by.js";
import type { JsonCheck, JsonReport, JsonRule } from "./json-report.js";
import type { Verdict } from "./verdict.js";

/** A broken rule, a recommendation that is not followed, or an operation with failures that break no rule. */
export interface Failure {
  /** The id of the rule, or the operation. */
  readonly title: string;
  /** Undefined for an operation. */
  readonly rule?: JsonRule;
  readonly isDeviating: boolean;
  /** The checks with problems that are not known to fail; at least one. */
  readonly checks: readonly [JsonCheck, ...JsonCheck[]];
}

/** The broken rules, then the operations, then the recommendations that are not followed, without known failures. */
export function listFailures(report: JsonReport): Failure[] {
  const failing = report.checks.filter(({ verdict }) => verdict === "failed" || verdict === "deviating");
  const ofRules = report.rules.map((rule) => ({
    title: rule.id,
    rule,
    isDeviating: rule.state === "deviating",
    checks: failing.filter(({ broken = [] }) => broken.includes(rule.id)),
  }));
  const found = [...ofRules, ...listOperationFailures(report, ["failed", "deviating"])].flatMap(
    (failure): Failure[] => {
      const [first, ...others] = failure.checks;
      return first === undefined ? [] : [{ ...failure, checks: [first, ...others] }];
    },
  );
  return [...found.filter(({ isDeviating }) => !isDeviating), ...found.filter(({ isDeviating }) => isDeviating)];
}

/** The operations that are there and have problems that break no rule of the report, and the checks that found them, if these have one of the verdicts. */
export function listOperationFailures(
  { rules, checks }: Pick<JsonReport, "rules" | "checks">,
  wanted: readonly Verdict[],
): { readonly title: string; readonly isDeviating: false; readonly checks: readonly JsonCheck[] }[] {
  const known = new Set(rules.map(({ id }) => id));
  // The table of operations says which are not implemented.
  const failing = checks.filter(
    ({ kind, verdict, broken = [] }) =>
      kind !== "operation" && wanted.includes(verdict) && !broken.some((id) => known.has(id)),
  );
  return [...groupBy(failing, ({ operation }) => operation)].map(([title, ofOperation]) => ({
    title,
    isDeviating: false,
    checks: ofOperation,
  }));
}
