import { operationsOf } from "../../contract/calls.js";
import type { RpcCase, RpcRule } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import type { ReportedBeyond, ReportedShard } from "../../report/model/json-report.js";
import {
  type CheckToRun,
  checksBeyond,
  createNameFilter,
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
import { waitsForLimit } from "./case-claims.js";
import { logCheck } from "./check-log.js";
import { descriptorCheck } from "./descriptor-check.js";

/** The parts of a run, in order. */
export interface SelectedCases {
  /**
   * The cases that run first. If a log is watched, those with secrets and those that wait anyway: a server may log the URLs of all others.
   */
  readonly first: readonly RpcCase[];
  readonly withSecrets: readonly RpcCase[];
  readonly isLogSelected: boolean;
  readonly areDescriptorsSelected: boolean;
  /** The cases that run when the log is searched. */
  readonly afterwards: readonly RpcCase[];
  /** The cases that are reported. The others run only so that the server may log their secrets. */
  readonly reported: ReadonlySet<RpcCase>;
  readonly shard: ReportedShard | undefined;
  /** All checks that are selected. */
  readonly checks: readonly CheckToRun[];
  /** Whether the check of an RPC is selected. */
  readonly isRpcSelected: (rpc: string) => boolean;
  /** The ids of all checks of the contract. */
  readonly existing: ReadonlySet<string>;
  readonly beyond: ReportedBeyond | undefined;
  /** The exclusion that a check falls under, by its id. Undefined without any. */
  readonly exclusionOf: (id: string) => string | undefined;
}

/**
 * Selects which cases run and which are reported. If the log is checked, the selected cases with secrets run in every shard; if none is
 * selected, all cases with secrets run.
 *
 * Throws a `CouldNotRunError` if the selection matches nothing.
 */
export function selectCases(
  contract: RpcContract,
  { exclude = [], ...options }: SelectionOptions & Pick<RunOptions, "exclude">,
  { hasLog }: { readonly hasLog: boolean },
): SelectedCases {
  const { cases, rules, methods } = contract;
  const toRun = (one: RpcCase) => checkToRun(one, contract);
  // Without a rule that they show, there is nothing to check.
  const log = logCheck(rules);
  const descriptors = descriptorCheck(rules);
  const others = [log, descriptors].filter((check) => check.rules.length > 0);
  const all = [...methods.map(({ rpc }) => presenceCheck(rpc)), ...cases.map(toRun), ...others];
  requireSelection(options, all);
  requireExclusions(exclude, all);
  const exclusions = new Map(all.map((check) => [check.id, exclusionOf(check, exclude)]));
  const isSelected = createSelection(options, all);
  const reported = cases.filter((one) => isSelected(toRun(one)));
  const isLogSelected = log.rules.length > 0 && isSelected(log);
  const logged = isLogSelected && hasLog ? loggedCases(cases, options, toRun) : [];
  const withSecrets = [...new Set([...reported.filter(hasSecrets), ...logged])];
  const isFirst = (one: RpcCase) => !(isLogSelected && hasLog) || waitsForLimit(one);
  const plain = reported.filter((one) => !hasSecrets(one));
  return {
    first: [...withSecrets, ...plain.filter(isFirst)],
    withSecrets,
    isLogSelected,
    areDescriptorsSelected: descriptors.rules.length > 0 && isSelected(descriptors),
    afterwards: plain.filter((one) => !isFirst(one)),
    reported: new Set(reported),
    shard: reportedShard(options, all),
    checks: all.filter(isSelected),
    isRpcSelected: (rpc) => isSelected(presenceCheck(rpc)),
    existing: new Set(all.map(({ id }) => id)),
    beyond: checksBeyond(options, all),
    exclusionOf: (id) => exclusions.get(id),
  };
}

/** The rules that the responses of a case show, without those that only the log shows. */
export function rulesOfAnswers({ rule, also = [] }: RpcCase, rules: readonly RpcRule[]): string[] {
  const others = logCheck(rules).rules;
  return [rule, ...also].filter((id) => !others.includes(id));
}

function loggedCases(
  cases: readonly RpcCase[],
  { only = [] }: SelectionOptions,
  toRun: (one: RpcCase) => CheckToRun,
): RpcCase[] {
  const withSecrets = cases.filter(hasSecrets);
  const isSelected = createNameFilter(only);
  const selected = withSecrets.filter((one) => isSelected(toRun(one)));
  return selected.length === 0 ? withSecrets : selected;
}

function checkToRun(one: RpcCase, contract: RpcContract): CheckToRun {
  const calls = operationsOf(caseCheck(one, contract)).map((id) => ({ id }));
  return { id: idOf(one), operation: one.rpc, rules: rulesOfAnswers(one, contract.rules), calls };
}

function hasSecrets({ secrets = [] }: RpcCase): boolean {
  return secrets.length > 0;
}
