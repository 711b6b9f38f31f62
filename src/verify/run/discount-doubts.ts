import type { Check } from "../../contract/check.js";
import type { CheckResult } from "../../report/model/check-result.js";
import { type AccountPlan, readInAnyOrganization } from "./account-plan.js";
import { type Accepted, acceptedIn, controlsFor, discountRefusals, doubtsIn } from "./discount-refusals.js";
import type { Planned } from "./planned.js";
import type { PresenceNotes } from "./presence-notes.js";
import type { Operations } from "./removals.js";

/**
 * Discounts refusals that may have another cause. What the selected checks do not say, the cases that were not selected do: they are run,
 * but not reported.
 */
export async function discountDoubts(
  checks: readonly CheckResult[],
  {
    planned,
    notes,
    controls: known,
    operations,
    run,
  }: {
    readonly planned: Planned;
    readonly notes: PresenceNotes;
    /** The checks that may run, and have not. */
    readonly controls: () => readonly Check[];
    readonly operations: Operations;
    readonly run: (checks: readonly Check[]) => Promise<CheckResult[]>;
  },
): Promise<CheckResult[]> {
  /** Operations may also have succeeded for other reasons, such as to find out whether they are there. */
  const acceptedBy = (results: readonly CheckResult[]): Accepted => {
    const others = [...operations.keys()].filter(notes.hasSucceeded);
    return new Map([...others.map((id) => [id, new Set<string>()] as const), ...acceptedIn(results, planned)]);
  };
  const doubts = doubtsIn(checks, planned, acceptedBy(checks), operations);
  const extra = doubts.length === 0 ? [] : await run(controlsFor(doubts, known()));
  return discountRefusals(checks, planned, acceptedBy([...checks, ...extra]), operations);
}

/** The reads that a real organization accepts. */
export function readsIn(planned: Planned, plan: AccountPlan): Check[] {
  return [...planned.values()].flatMap((check) => readInAnyOrganization(check, plan) ?? []);
}
