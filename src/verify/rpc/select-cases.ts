import type { DaemonCase, DaemonCases, DaemonRule } from "../../contract/rpc/cases.js";
import {
  type CheckToRun,
  checksBeyond,
  createNameFilter,
  createSelection,
  reportedShard,
  requireSelection,
  type SelectionOptions,
} from "../create-selection.js";
import type { ReportedBeyond, ReportedShard } from "../model/json-report.js";
import { operationsOf } from "../run/operations-of.js";
import { caseCheck, idOf, waitsForLimit } from "./case-check.js";
import { logCheck } from "./check-log.js";
import { descriptorCheck } from "./descriptor-check.js";

/** The parts of a run, in order. */
export interface SelectedCases {
  /**
   * The cases that run first. If a log is watched, those with secrets and those that wait anyway: a daemon may log the URLs of all others.
   */
  readonly first: readonly DaemonCase[];
  readonly withSecrets: readonly DaemonCase[];
  readonly isLogSelected: boolean;
  readonly areDescriptorsSelected: boolean;
  /** The cases that run when the log is searched. */
  readonly afterwards: readonly DaemonCase[];
  /** The cases that are reported. The others run only so that the daemon may log their secrets. */
  readonly reported: ReadonlySet<DaemonCase>;
  readonly shard: ReportedShard | undefined;
  /** All checks that are selected. */
  readonly checks: readonly CheckToRun[];
  readonly beyond: ReportedBeyond | undefined;
}

/**
 * Selects which cases run and which are reported. If the log is checked, the selected cases with secrets run in every shard; if none is
 * selected, all cases with secrets run.
 *
 * Throws a `CouldNotRunError` if the selection matches nothing.
 */
export function selectCases(
  { cases, rules }: Pick<DaemonCases, "cases" | "rules">,
  options: SelectionOptions,
  { hasLog }: { readonly hasLog: boolean },
): SelectedCases {
  const log = logCheck(rules);
  const toRun = (one: DaemonCase) => checkToRun(one, rules);
  const descriptors = descriptorCheck(rules);
  const all = [...cases.map(toRun), log, descriptors];
  requireSelection(options, all);
  const isSelected = createSelection(options, all);
  const reported = cases.filter((one) => isSelected(toRun(one)));
  const isLogSelected = isSelected(log);
  const logged = isLogSelected && hasLog ? loggedCases(cases, options, toRun) : [];
  const withSecrets = [...new Set([...reported.filter(hasSecrets), ...logged])];
  const isFirst = (one: DaemonCase) => !(isLogSelected && hasLog) || waitsForLimit(one);
  const others = reported.filter((one) => !hasSecrets(one));
  return {
    first: [...withSecrets, ...others.filter(isFirst)],
    withSecrets,
    isLogSelected,
    areDescriptorsSelected: isSelected(descriptors),
    afterwards: others.filter((one) => !isFirst(one)),
    reported: new Set(reported),
    shard: reportedShard(options, all),
    checks: all.filter(isSelected),
    beyond: checksBeyond(options, all),
  };
}

/** The rules that the responses of a case show, without those that only the log shows. */
export function rulesOfAnswers({ rule, also = [] }: DaemonCase, rules: readonly DaemonRule[]): string[] {
  const others = logCheck(rules).rules;
  return [rule, ...also].filter((id) => !others.includes(id));
}

function loggedCases(
  cases: readonly DaemonCase[],
  { only = [] }: SelectionOptions,
  toRun: (one: DaemonCase) => CheckToRun,
): DaemonCase[] {
  const withSecrets = cases.filter(hasSecrets);
  const isSelected = createNameFilter(only);
  const selected = withSecrets.filter((one) => isSelected(toRun(one)));
  return selected.length === 0 ? withSecrets : selected;
}

function checkToRun(one: DaemonCase, rules: readonly DaemonRule[]): CheckToRun {
  const calls = operationsOf(caseCheck(one, rules)).map((id) => ({ id }));
  return { id: idOf(one), operation: one.rpc, rules: rulesOfAnswers(one, rules), calls };
}

function hasSecrets({ secrets = [] }: DaemonCase): boolean {
  return secrets.length > 0;
}
