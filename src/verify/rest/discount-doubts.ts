import type { Check } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { CheckResult } from "../model/check-result.js";
import { type AccountPlan, readInAnyOrganization } from "../run/account-plan.js";
import { acceptedIn, controlsFor, discountRefusals, doubtsIn } from "../run/discount-refusals.js";

/**
 * Discounts refusals that may have another cause. What the selected checks do not say, the cases that were not selected do: they are run,
 * but not reported.
 */
export async function discountDoubts(
  checks: readonly CheckResult[],
  {
    planned,
    controls: known,
    operations,
    run,
  }: {
    readonly planned: ReadonlyMap<string, Check>;
    /** The checks that may run, and have not. */
    readonly controls: readonly Check[];
    readonly operations: ReadonlyMap<string, ProbedOperation>;
    readonly run: (checks: readonly Check[]) => Promise<CheckResult[]>;
  },
): Promise<CheckResult[]> {
  const isKnown = (id: string, name: string) =>
    operations.get(id)?.parameters.some((parameter) => parameter.name === name) === true;
  const accepted = acceptedIn(checks, planned);
  const controls = controlsFor(doubtsIn(checks, planned, accepted, isKnown), known);
  const extra = await run(controls);
  return discountRefusals(checks, planned, acceptedIn([...checks, ...extra], planned), isKnown);
}

/** The reads that a real organization accepts. */
export function readsIn(planned: ReadonlyMap<string, Check>, plan: AccountPlan): Check[] {
  return [...planned.values()].flatMap((check) => readInAnyOrganization(check, plan) ?? []);
}
