import type { Check } from "../../../src/verify/check.js";
import { createSelection } from "../../../src/verify/create-selection.js";
import type { Fault } from "./fault.js";

/** The result of a verification for a fault. */
export interface Outcome {
  /** The ids of failed checks. */
  readonly failed: readonly string[];
  /** The broken rules and the operations of failed checks. */
  readonly broken: ReadonlySet<string>;
  /** The checks that could not run, with the reason. */
  readonly errored: readonly string[];
}

/** Summarizes the checks of a fault. Deviations from recommendations count as failures. */
export function outcomeOf(fault: Fault, checks: readonly Check[]): Outcome {
  return outcomeIn(checks.filter(createSelection({ only: fault.checkedBy })), { strict: true });
}

/** Summarizes checks. With `strict`, deviations from recommendations count as failures. */
export function outcomeIn(checks: readonly Check[], { strict = false }: { readonly strict?: boolean } = {}): Outcome {
  const failed = checks.flatMap(({ outcome, ...check }) =>
    outcome.kind === "failed" || (strict && outcome.kind === "deviated") ? [{ ...check, outcome }] : [],
  );
  return {
    failed: failed.map(({ id }) => id),
    broken: new Set(failed.flatMap(({ operation, rules, outcome }) => [operation, ...(outcome.broken ?? rules)])),
    errored: checks.flatMap(({ id, outcome }) => (outcome.kind === "errored" ? [`${id}: ${outcome.reason}`] : [])),
  };
}
