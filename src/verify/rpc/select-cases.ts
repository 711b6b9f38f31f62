import { operationsOf } from "../../contract/calls.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import type { ReportedBeyond, ReportedShard } from "../../report/model/json-report.js";
import {
  type CheckToRun,
  checksBeyond,
  createSelection,
  exclusionOf,
  reportedShard,
  requireExclusions,
  requireSelection,
  type SelectionOptions,
} from "../create-selection.js";
import { presenceCheck } from "../run/presence-check.js";
import type { RunOptions } from "../run-options.js";
import { caseCheck, idOf } from "./case-check.js";
import { descriptorCheck } from "./descriptor-check.js";
import type { LoadedRpcCheck } from "./rpc-code-checks.js";

/** The checks of a run. */
export interface SelectedCases {
  readonly cases: readonly RpcCase[];
  readonly codeChecks: readonly LoadedRpcCheck[];
  readonly areDescriptorsSelected: boolean;
  readonly shard: ReportedShard | undefined;
  /** All checks that are selected. */
  readonly checks: readonly CheckToRun[];
  /** The ids of the selected checks, also those of other parts of the run. */
  readonly selectedIds: ReadonlySet<string>;
  /** Whether the check of an RPC is selected. */
  readonly isRpcSelected: (rpc: string) => boolean;
  /** The ids of all checks of the contract. */
  readonly existing: ReadonlySet<string>;
  readonly beyond: ReportedBeyond | undefined;
  /** The exclusion that a check falls under, by its id. Undefined without any. */
  readonly exclusionOf: (id: string) => string | undefined;
}

/**
 * Selects which cases and checks in code run. A check in code with the id of a case replaces it.
 *
 * Throws a `CouldNotRunError` if the selection matches nothing.
 */
export function selectCases(
  contract: RpcContract,
  codeChecks: readonly LoadedRpcCheck[],
  { exclude = [], ...options }: SelectionOptions & Pick<RunOptions, "exclude">,
): SelectedCases {
  const { rules, methods } = contract;
  const inCode = new Set(codeChecks.map(({ id }) => id));
  const cases = contract.cases.filter((one) => !inCode.has(idOf(one)));
  const toRun = (one: RpcCase) => checkToRun(one, contract);
  // Without a rule that they show, there is nothing to check.
  const descriptors = [descriptorCheck(rules)].filter((check) => check.rules.length > 0);
  const ofCode = codeChecks.map((check) => ({ ...check, calls: operationsOf(check).map((id) => ({ id })) }));
  const all = [...methods.map(({ rpc }) => presenceCheck(rpc)), ...cases.map(toRun), ...ofCode, ...descriptors];
  requireSelection(options, all);
  requireExclusions(exclude, all);
  const exclusions = new Map(all.map((check) => [check.id, exclusionOf(check, exclude)]));
  const isSelected = createSelection(options, all);
  const { shard: _, ...whole } = options;
  return {
    cases: cases.filter((one) => isSelected(toRun(one))),
    codeChecks: codeChecks.filter((_, index) => isSelected(ofCode[index] as CheckToRun)),
    areDescriptorsSelected: descriptors.some(isSelected),
    shard: reportedShard(options, all),
    checks: all.filter(isSelected),
    selectedIds: new Set(all.filter(createSelection(whole, all)).map(({ id }) => id)),
    isRpcSelected: (rpc) => isSelected(presenceCheck(rpc)),
    existing: new Set(all.map(({ id }) => id)),
    beyond: checksBeyond(options, all),
    exclusionOf: (id) => exclusions.get(id),
  };
}

function checkToRun(one: RpcCase, contract: RpcContract): CheckToRun {
  const calls = operationsOf(caseCheck(one, contract)).map((id) => ({ id }));
  return { id: idOf(one), operation: one.rpc, rules: [one.rule, ...(one.also ?? [])], calls };
}
