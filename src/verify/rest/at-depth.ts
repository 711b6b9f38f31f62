import { callsOf } from "../../contract/calls.js";
import { type Check, type Depth, depths } from "../../contract/check.js";
import type { ContractAtLevel } from "./contract-at-level.js";

/** The depth of a run that names none. */
export const defaultDepth: Depth = "normal";

/** What a run sends that follows from the document alone. */
export interface DerivedPlan {
  readonly depth: Depth;
  readonly workflows: number;
  /** At most: a workflow ends at the first response that shows nothing. */
  readonly requests: number;
}

/** A contract without the derived workflows that a run of a depth leaves out. */
export function atDepth(contract: ContractAtLevel, depth: Depth): ContractAtLevel {
  const isWithin = ({ derived = "quick" }: Check) => depths.indexOf(derived) <= depths.indexOf(depth);
  return { ...contract, checks: contract.checks.filter(isWithin) };
}

/** Counts the derived workflows of the checks that are sent. Undefined without any. */
export function derivedPlan(sent: readonly Check[], depth: Depth): DerivedPlan | undefined {
  const derived = sent.filter((check) => check.derived !== undefined);
  const requests = derived.flatMap(callsOf).length;
  return derived.length === 0 ? undefined : { depth, workflows: derived.length, requests };
}
