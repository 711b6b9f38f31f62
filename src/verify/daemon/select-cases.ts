import type { DaemonCase, DaemonCases, DaemonRule } from "../../contract/daemon/cases.js";
import { type CheckToRun, createSelection, requireSelection, type SelectionOptions } from "../create-selection.js";
import { logCheck } from "./check-log.js";

/** What a run does, in this order. */
export interface SelectedCases {
  /** The cases with secrets, which run while the log is watched. */
  readonly secretive: readonly DaemonCase[];
  readonly isLogSelected: boolean;
  readonly others: readonly DaemonCase[];
  /** The cases that are reported. The rest run for what they make the daemon log. */
  readonly reported: ReadonlySet<DaemonCase>;
}

/**
 * Selects what is run and what is reported. The log is searched for what the selected cases with secrets make the daemon log, also those
 * of other shards; when there are none, for what all of them do.
 *
 * Throws a `CouldNotRunError` when the selection leads to nothing.
 */
export function selectCases(
  { cases, rules }: Pick<DaemonCases, "cases" | "rules">,
  options: SelectionOptions,
  { hasLog }: { readonly hasLog: boolean },
): SelectedCases {
  const log = logCheck(rules);
  const toRun = (one: DaemonCase) => checkToRun(one, rules);
  requireSelection(options, [...cases.map(toRun), log]);
  const isSelected = createSelection(options);
  const reported = cases.filter((one) => isSelected(toRun(one)));
  const isLogSelected = isSelected(log);
  const logged = isLogSelected && hasLog ? loggedCases(cases, options, toRun) : [];
  return {
    secretive: [...new Set([...reported.filter(hasSecrets), ...logged])],
    isLogSelected,
    others: reported.filter((one) => !hasSecrets(one)),
    reported: new Set(reported),
  };
}

/** The id of the check of a case. */
export function idOf({ name }: Pick<DaemonCase, "name">): string {
  return `case ${name}`;
}

/** The rules that the answers of a case show. What a daemon logs is shown by its log alone. */
export function rulesOfAnswers({ rule, also = [] }: DaemonCase, rules: readonly DaemonRule[]): string[] {
  const ofLog = logCheck(rules).rules;
  return [rule, ...also].filter((id) => !ofLog.includes(id));
}

function loggedCases(
  cases: readonly DaemonCase[],
  { only = [] }: SelectionOptions,
  toRun: (one: DaemonCase) => CheckToRun,
): DaemonCase[] {
  const secretive = cases.filter(hasSecrets);
  const isMeant = createSelection({ only });
  const meant = secretive.filter((one) => isMeant(toRun(one)));
  return meant.length === 0 ? secretive : meant;
}

function checkToRun(one: DaemonCase, rules: readonly DaemonRule[]): CheckToRun {
  return { id: idOf(one), operation: one.rpc, rules: rulesOfAnswers(one, rules) };
}

function hasSecrets({ secrets = [] }: DaemonCase): boolean {
  return secrets.length > 0;
}
