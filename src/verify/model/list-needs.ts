import { groupBy } from "../../text/group-by.js";
import { isStateNeed, type Need, type StateNeed } from "./check-result.js";
import type { JsonCheck, JsonNeed } from "./json-report.js";
import type { VerifyReport } from "./verify-report.js";

/** Groups the skipped checks by what they need, the largest group first. A check that needs several operations or values counts in each as `more`. */
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
      const help = isStateNeed(need) ? stateHelp?.get(neededState(need)) : undefined;
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

/** The provider state that is needed; empty for the one from which checks start. */
export function neededState(need: StateNeed): string {
  return need.kind === "state" ? need.state : "";
}

function singleNeeds(need: Need): { readonly need: Need; readonly isOnly: boolean }[] {
  switch (need.kind) {
    case "operation":
      return need.operations.map((id, _, { length }) => ({
        need: { ...need, operations: [id] },
        isOnly: length === 1,
      }));
    case "value":
      return need.parameters.map((one, _, { length }) => ({
        need: { ...need, parameters: [one] },
        isOnly: length === 1,
      }));
    default:
      return [{ need, isOnly: true }];
  }
}
