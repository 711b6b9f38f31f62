import { operationsOf } from "../../contract/calls.js";
import type { Check } from "../../contract/check.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { type Selected, type SelectionOptions, selectAmong } from "../create-selection.js";
import { presenceCheck } from "../run/presence-check.js";
import type { RunOptions } from "../run-options.js";
import { idOf, rpcCaseCheck } from "./case-check.js";
import { descriptorCheck } from "./descriptor-check.js";
import type { LoadedRpcCheck } from "./rpc-code-checks.js";

/** The checks of a run. */
export interface SelectedCases extends Selected {
  /** Cases. */
  readonly checks: readonly Check[];
  readonly codeChecks: readonly LoadedRpcCheck[];
  /** The check of the types that no RPC returns, if it is selected. It has no steps. */
  readonly descriptors: readonly Check[];
  /** The ids of the selected checks, also those of other parts of the run. */
  readonly selectedIds: ReadonlySet<string>;
}

/**
 * Selects which cases and checks in code run. A check in code with the id of a case replaces it.
 *
 * Throws a `CouldNotRunError` if the selection matches nothing.
 */
export function selectCases(
  contract: RpcContract,
  codeChecks: readonly LoadedRpcCheck[],
  options: SelectionOptions & Pick<RunOptions, "exclude">,
): SelectedCases {
  const inCode = new Set(codeChecks.map(({ id }) => id));
  const cases = contract.cases.filter((one) => !inCode.has(idOf(one)));
  const checks = cases.map((one) => rpcCaseCheck(one, contract));
  // A case is also selected by the rules that it names and cannot show.
  const rulesOf = new Map(cases.map((one) => [idOf(one), [one.rule, ...(one.also ?? [])]]));
  const toRun = ({ id, operation, rules, steps }: Check | LoadedRpcCheck) => ({
    ...{ id, operation, rules: rulesOf.get(id) ?? rules, calls: operationsOf({ steps }).map((rpc) => ({ id: rpc })) },
  });
  // Without a rule that they show, there is nothing to check.
  const descriptors = [descriptorCheck(contract.rules)].filter((check) => check.rules.length > 0);
  const presence = contract.methods.map(({ rpc }) => presenceCheck(rpc));
  const all = [...presence, ...[...checks, ...codeChecks].map(toRun), ...descriptors];
  const selected = selectAmong(all, options);
  const { shard: _, ...whole } = options;
  return {
    ...selected,
    checks: checks.filter(({ id }) => selected.isSelected(id)),
    codeChecks: codeChecks.filter(({ id }) => selected.isSelected(id)),
    descriptors: descriptors.filter(({ id }) => selected.isSelected(id)),
    selectedIds: new Set(
      (options.shard === undefined ? selected : selectAmong(all, whole)).reported.map(({ id }) => id),
    ),
  };
}
