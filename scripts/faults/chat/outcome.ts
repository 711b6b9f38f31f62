import type { CheckResult } from "../../../src/report/model/check-result.js";
import { brokenRules, hasProblems } from "../../../src/report/model/check-result.js";
import { createNameFilter } from "../../../src/verify/create-selection.js";
import type { ChatFault } from "./fault.js";

/** The result of a verification for a fault. */
export interface Outcome {
  /** The ids of failed checks. */
  readonly failed: readonly string[];
  /** The ids of checks that break only recommendations. */
  readonly deviated: readonly string[];
  /** The broken rules and the operations of failed and deviating checks. */
  readonly broken: ReadonlySet<string>;
  /** The checks that could not run, with the reason. */
  readonly errored: readonly string[];
}

/** Summarizes the checks of a fault. */
export function outcomeOf(fault: ChatFault, checks: readonly CheckResult[]): Outcome {
  return outcomeIn(checks.filter(createNameFilter(fault.checkedBy)));
}

/** Summarizes checks. */
export function outcomeIn(checks: readonly CheckResult[]): Outcome {
  const idsOf = (kind: CheckResult["outcome"]["kind"]) =>
    checks.flatMap(({ id, outcome }) => (outcome.kind === kind ? id : []));
  return {
    failed: idsOf("failed"),
    deviated: idsOf("deviated"),
    broken: new Set(checks.filter(hasProblems).flatMap((check) => [check.operation, ...brokenRules(check)])),
    errored: checks.flatMap(({ id, outcome }) => (outcome.kind === "errored" ? [`${id}: ${outcome.reason}`] : [])),
  };
}
