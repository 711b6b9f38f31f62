import { groupBy } from "../../text/group-by.js";
import type { Need } from "./check-result.js";
import type { JsonCheck, JsonNeed } from "./json-report.js";
import type { VerifyReport } from "./verify-report.js";

/** Groups the skipped checks by what they need, the largest group first. A check that needs several operations counts in each as `more`. */
export function listNeeds(
  checks: readonly JsonCheck[],
  { stateHelp, operations = [] }: Pick<VerifyReport, "stateHelp" | "operations">,
): JsonNeed[] {
  const known = new Set(operations.map(({ id }) => id));
  const needs = checks.flatMap(({ verdict, need, operation }) =>
    verdict === "skipped" && need !== undefined ? singleNeeds(need).map((one) => ({ ...one, operation })) : [],
  );
  return [...groupBy(needs, ({ need }) => JSON.stringify(need)).values()]
    .map((group): JsonNeed => {
      const [{ need }] = group;
      const alone = group.filter(({ isOnly }) => isOnly);
      const help = hasNoState(need) ? undefined : stateHelp?.get(neededState(need));
      return {
        need,
        checks: alone.length,
        more: group.length - alone.length,
        operations: [...new Set(group.map(({ operation }) => operation))].filter((id) => known.has(id)),
        ...(help === undefined ? {} : { help }),
      };
    })
    .sort((one, other) => other.checks - one.checks || other.more - one.more);
}

type StateNeed = Extract<Need, { readonly kind: "states" | "state" }>;

/** Whether something other than a provider state is needed. */
export function hasNoState(need: Need): need is Exclude<Need, StateNeed> {
  return need.kind !== "states" && need.kind !== "state";
}

/** The provider state that is needed; empty for the one from which checks start. */
export function neededState(need: StateNeed): string {
  return need.kind === "state" ? need.state : "";
}

function singleNeeds(need: Need): { readonly need: Need; readonly isOnly: boolean }[] {
  if (need.kind !== "operation") return [{ need, isOnly: true }];
  const isOnly = need.operations.length === 1;
  return need.operations.map((id) => ({ need: { ...need, operations: [id] }, isOnly }));
}
