import type { CheckOutcome, CheckResult } from "./check-result.js";
import type { RuleState, VerifyReport } from "./verify-report.js";

/**
 * The effect of a check's outcome on the run. `deviating`: the server does not follow a recommendation. `expected`: it
 * failed or deviated, and is known to. `stale`: it passed although it is known to fail. Only `failed` and `stale` make
 * a run fail.
 */
export type Verdict = "passed" | "failed" | "deviating" | "expected" | "stale" | "skipped" | "errored";

/** The names of verdicts as displayed, problems first. */
export const verdictNames = {
  failed: "failed",
  stale: "passed unexpectedly",
  errored: "could not run",
  deviating: "deviating",
  expected: "known to fail",
  skipped: "skipped",
  passed: "passed",
} as const satisfies Record<Verdict, string>;

/** The states of rules with their displayed names, in the order of table columns. */
export const ruleStates = {
  kept: "kept",
  broken: "broken",
  deviating: "deviating",
  "not-exercised": "not exercised",
  untestable: "untestable",
} as const satisfies Record<RuleState, string>;

/** The states of operations with their displayed names, in the order of the table. */
export const operationStates = {
  failing: "failing",
  partial: "partial",
  "needs-states": "needs states",
  unknown: "unknown",
  done: "done",
  "not-implemented": "not implemented",
} as const;

/** How far an operation is. */
export type OperationState = keyof typeof operationStates;

/** How many items have a verdict or state. */
export interface Tally<Key extends string> {
  readonly key: Key;
  readonly name: string;
  readonly count: number;
}

/** Counts checks by verdict, problems first. */
export function tallyVerdicts(checks: readonly { readonly verdict: Verdict }[]): Tally<Verdict>[] {
  const found = checks.map(({ verdict }) => verdict);
  return tally(verdictNames, found);
}

/** Counts rules by state, in the order of table columns. */
export function tallyStates(rules: readonly { readonly state: RuleState }[]): Tally<RuleState>[] {
  const found = rules.map(({ state }) => state);
  return tally(ruleStates, found);
}

function tally<Key extends string>(names: Readonly<Record<Key, string>>, found: readonly Key[]): Tally<Key>[] {
  const keys = Object.keys(names) as Key[];
  return keys.map((key) => ({ key, name: names[key], count: found.filter((one) => one === key).length }));
}

/** The verdict on a check. */
export function verdictOf({ id, outcome }: CheckResult, knownFailing: VerifyReport["knownFailing"]): Verdict {
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

/** Whether a check found problems. */
export function hasProblems(
  check: CheckResult,
): check is CheckResult & { readonly outcome: Extract<CheckOutcome, { readonly kind: "failed" | "deviated" }> } {
  return check.outcome.kind === "failed" || check.outcome.kind === "deviated";
}
