import { groupBy } from "../../text/group-by.js";
import { isStateNeed, type Need, type StateNeed } from "./check-result.js";
import type { JsonCheck, JsonNeed } from "./json-report.js";
import type { VerifyReport } from "./verify-report.js";

/** How large a step is. What was withheld, which reports name elsewhere, is the last. */
const steps: Readonly<Record<Need["kind"], number>> = {
  server: 0,
  value: 0,
  account: 0,
  operation: 1,
  state: 2,
  states: 3,
  degree: 4,
  exclusion: 4,
};

/**
 * Groups the skipped checks by what they need, the smallest step first: of operations, those with the fewest checks; of steps of one size,
 * the most useful one. A check that needs several operations or values counts in each as `more`; what no check needs alone is the last.
 */
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
        help,
      };
    })
    .sort(compareSteps);
}

function compareSteps(one: JsonNeed, other: JsonNeed): number {
  const larger = one.checks + one.more - other.checks - other.more;
  return (
    steps[one.need.kind] - steps[other.need.kind] ||
    Number(one.checks === 0) - Number(other.checks === 0) ||
    (one.need.kind === "operation" ? larger : -larger)
  );
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
