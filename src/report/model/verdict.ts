/**
 * The effect of a check's outcome on the run. `deviating`: the server does not follow a recommendation. `expected`: it
 * failed or deviated, and is known to. `stale`: it passed although it is known to fail. Only `failed` and `stale` make
 * a run fail.
 */
export type Verdict = keyof typeof verdictNames;

/** The names of verdicts as displayed, problems first. */
export const verdictNames = {
  failed: "failed",
  stale: "passed unexpectedly",
  errored: "could not run",
  deviating: "deviating",
  expected: "known to fail",
  skipped: "skipped",
  passed: "passed",
} as const;

/** The states of rules with their displayed names, in the order of table columns. */
export const ruleStates = {
  kept: "kept",
  broken: "broken",
  deviating: "deviating",
  "not-exercised": "not exercised",
  untestable: "untestable",
} as const;

/** The state of a rule after a run. `deviating` is a recommendation that the server does not follow. */
export type RuleState = keyof typeof ruleStates;

/** The states of operations with their displayed names, in the order of the table. */
export const operationStates = {
  failing: "failing",
  partial: "partial",
  "needs-states": "needs states",
  "not-sent": "not sent",
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
  return tally(
    verdictNames,
    checks.map(({ verdict }) => verdict),
  );
}

/** Counts rules by state, in the order of table columns. */
export function tallyStates(rules: readonly { readonly state: RuleState }[]): Tally<RuleState>[] {
  return tally(
    ruleStates,
    rules.map(({ state }) => state),
  );
}

function tally<Key extends string>(names: Readonly<Record<Key, string>>, found: readonly Key[]): Tally<Key>[] {
  return namesIn(names).map((key) => ({ key, name: names[key], count: found.filter((one) => one === key).length }));
}

/** The keys of a table of names. */
export function namesIn<Key extends string>(names: Readonly<Record<Key, string>>): Key[] {
  return Object.keys(names) as Key[];
}
