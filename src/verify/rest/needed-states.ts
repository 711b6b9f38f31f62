import type { RestContract } from "../../contract/rest/rest-contract.js";
import { loginFields } from "../../contract/rest/security.js";
import { baseState } from "../../contract/rest/states.js";
import { type CheckResult, isStateNeed } from "../../report/model/check-result.js";
import { neededState } from "../../report/model/list-needs.js";
import type { Planned } from "../run/planned.js";
import { type FailedSetup, stateHelp } from "../states/catalogue.js";

/** What the handler of each provider state must return that skipped checks need, as the first of them sets it up. */
export function helpForNeeds(
  checks: readonly CheckResult[],
  planned: Pick<Planned, "get">,
  { document, states: catalogue }: Pick<RestContract, "document" | "states">,
): ReadonlyMap<string, string> {
  const params = new Map<string, FailedSetup>();
  for (const { id, outcome } of checks) {
    const need = outcome.kind === "skipped" ? outcome.need : undefined;
    if (!isStateNeed(need)) continue;
    const needed = neededState(need);
    const name = needed === "" ? baseState(catalogue) : needed;
    if (name === undefined) continue;
    const step = planned.get(id)?.steps.find((one) => one.kind === "state" && one.state === name);
    // Parameters may refer to other steps.
    const own = step?.kind === "state" && !JSON.stringify(step.params).includes("$") ? step.params : {};
    if (!params.has(needed)) params.set(needed, { state: name, params: own });
  }
  return new Map(
    [...params].map(([needed, setup]) => [
      needed,
      stateHelp(catalogue, setup, loginFields(document), { isBrief: true }),
    ]),
  );
}
