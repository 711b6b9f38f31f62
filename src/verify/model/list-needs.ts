import { groupBy } from "../../text/group-by.js";
import type { Need } from "./check-result.js";
import type { JsonCheck, JsonNeed } from "./json-report.js";
import type { VerifyReport } from "./verify-report.js";

/** How large a step is: an operation, a state of a server that has states, and states at all. */
const steps: Readonly<Record<Need["kind"], number>> = { operation: 0, state: 1, states: 2 };

/**
 * Groups the skipped checks by what they need, the smallest step first: what the fewest checks are about. A check that needs several
 * operations counts in each as `more`; what no check needs alone comes after the others.
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
      const help = need.kind === "operation" ? undefined : stateHelp?.get(neededState(need));
      return {
        need,
        checks: alone.length,
        more: group.length - alone.length,
        operations: [...new Set(group.map(({ operation }) => operation))].filter((id) => known.has(id)),
        ...(help === undefined ? {} : { help }),
      };
    })
    .sort(
      (one, other) =>
        steps[one.need.kind] - steps[other.need.kind] ||
        Number(one.checks === 0) - Number(other.checks === 0) ||
        one.checks + one.more - other.checks - other.more,
    );
}

/** The provider state that is needed; empty for the one from which checks start. */
export function neededState(need: Exclude<Need, { readonly kind: "operation" }>): string {
  return need.kind === "state" ? need.state : "";
}

function singleNeeds(need: Need): { readonly need: Need; readonly isOnly: boolean }[] {
  if (need.kind !== "operation") return [{ need, isOnly: true }];
  const isOnly = need.operations.length === 1;
  return need.operations.map((id) => ({ need: { ...need, operations: [id] }, isOnly }));
}
