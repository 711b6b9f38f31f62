import type { Check } from "../../../src/verify/check.js";
import { createSelection } from "../../../src/verify/create-selection.js";
import type { Fault } from "./fault.js";

/** The result of a verification for a fault. */
export interface Outcome {
  /** The ids of failed checks. */
  readonly failed: readonly string[];
  /** The ids of checks that found only that a recommendation is not followed. */
  readonly deviated: readonly string[];
  /** The broken rules and recommendations, and the operations of the checks that found them. */
  readonly broken: ReadonlySet<string>;
  /** The checks that could not run, with the reason. */
  readonly errored: readonly string[];
}

/** Summarizes the checks of a fault. */
export function outcomeOf(fault: Fault, checks: readonly Check[]): Outcome {
  return outcomeIn(checks.filter(createSelection({ only: fault.checkedBy })));
}

/** Summarizes checks. */
export function outcomeIn(checks: readonly Check[]): Outcome {
  const noticed = checks.flatMap(({ outcome, ...check }) =>
    outcome.kind === "failed" || outcome.kind === "deviated" ? [{ ...check, outcome }] : [],
  );
  const idsOf = (kind: string) => noticed.flatMap(({ id, outcome }) => (outcome.kind === kind ? [id] : []));
  return {
    failed: idsOf("failed"),
    deviated: idsOf("deviated"),
    broken: new Set(noticed.flatMap(({ operation, rules, outcome }) => [operation, ...(outcome.broken ?? rules)])),
    errored: checks.flatMap(({ id, outcome }) => (outcome.kind === "errored" ? [`${id}: ${outcome.reason}`] : [])),
  };
}
