import { callsOf } from "../../contract/calls.js";
import { type Check, type Depth, depths } from "../../contract/check.js";

/** The depth of a run that names none. */
export const defaultDepth: Depth = "normal";

/** What a run sends that follows from the document alone. */
export interface DerivedPlan {
  readonly depth: Depth;
  readonly checks: number;
  /** At most: a workflow ends at the first response that shows nothing. */
  readonly requests: number;
  /** The most requests to one operation. */
  readonly mostOfOne: number;
}

/** Whether a run of a depth has a check that needs one. What somebody wrote needs none. */
export function isWithinDepth({ derived = "quick" }: Pick<Check, "derived">, depth: Depth): boolean {
  return depths.indexOf(derived) <= depths.indexOf(depth);
}

/** Counts what is derived of the checks that are sent, and what removes what they make. Undefined without any. */
export function derivedPlan(
  sent: readonly Check[],
  depth: Depth,
  isRemoved: (operation: string) => boolean = () => false,
): DerivedPlan | undefined {
  const derived = sent.filter((check) => check.derived !== undefined);
  if (derived.length === 0) return undefined;
  const calls = derived.flatMap(callsOf).flatMap(({ call = "" }) => (isRemoved(call) ? [call, "removal"] : call));
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  return { depth, checks: derived.length, requests: calls.length, mostOfOne: Math.max(...counts.values()) };
}
