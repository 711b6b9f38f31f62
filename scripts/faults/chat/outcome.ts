import type { Check } from "../../../src/verify/check.js";
import { createSelection } from "../../../src/verify/create-selection.js";
import type { Fault } from "./fault.js";

/** What a verification found out about a fault. */
export interface Outcome {
  /** The ids of the checks that failed. */
  readonly failed: readonly string[];
  /** The rules that are broken, and the operations of checks that failed. */
  readonly broken: ReadonlySet<string>;
  /** What should have run and could not, and why. */
  readonly errored: readonly string[];
}

/** What the checks that look at a fault found out. */
export function outcomeOf(fault: Fault, checks: readonly Check[]): Outcome {
  return outcomeIn(checks.filter(createSelection({ only: fault.looksAt })));
}

/** What checks found out. */
export function outcomeIn(checks: readonly Check[]): Outcome {
  const failed = checks.flatMap(({ outcome, ...check }) => (outcome.kind === "failed" ? [{ ...check, outcome }] : []));
  return {
    failed: failed.map(({ id }) => id),
    broken: new Set(failed.flatMap(({ operation, rules, outcome }) => [operation, ...(outcome.broken ?? rules)])),
    errored: checks.flatMap(({ id, outcome }) => (outcome.kind === "errored" ? [`${id}: ${outcome.reason}`] : [])),
  };
}
