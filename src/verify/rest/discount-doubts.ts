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
    /** The checks that may run. */
    readonly controls: ReadonlyMap<string, Check>;
    readonly operations: ReadonlyMap<string, ProbedOperation>;
    readonly run: (checks: readonly Check[]) => Promise<CheckResult[]>;
  },
): Promise<CheckResult[]> {
  const isKnown = (id: string, name: string) =>
    operations.get(id)?.parameters.some((parameter) => parameter.name === name) === true;
  const accepted = acceptedIn(checks, planned);
  const done = new Set(checks.map(({ id }) => id));
  const controls = controlsFor(doubtsIn(checks, planned, accepted, isKnown), known).filter(
    ({ id }) => known !== planned || !done.has(id),
  );
  const extra = await run(controls);
  return discountRefusals(checks, planned, acceptedIn([...checks, ...extra], planned), isKnown);
}

/** The reads that a real organization accepts, by the ids of their checks. */
export function readsIn(planned: ReadonlyMap<string, Check>, plan: AccountPlan): ReadonlyMap<string, Check> {
  return new Map(
    [...planned.values()].flatMap((check): [string, Check][] => {
      const read = readInAnyOrganization(check, plan);
      return read === undefined ? [] : [[check.id, read]];
    }),
  );
}
