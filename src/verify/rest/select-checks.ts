import { operationsOf } from "../../contract/calls.js";
import type { Check } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import {
  type CalledOperation,
  type CheckToRun,
  createAllowance,
  type Selected,
  type SelectionOptions,
  selectAmong,
} from "../create-selection.js";
import type { RandomProbe } from "../derive/parameter-probes.js";
import { presenceCheck } from "../run/presence-check.js";
import type { RunOptions } from "../run-options.js";
import type { ContractAtLevel } from "./contract-at-level.js";
import type { CodeCheckAtLevel } from "./load-code-checks.js";

/** The checks of a run, out of those of a contract. */
export interface SelectedChecks extends Omit<Selected, "existing"> {
  /** Cases and workflows. */
  readonly checks: readonly Check[];
  readonly probes: readonly (Check | RandomProbe)[];
  readonly codeChecks: readonly CodeCheckAtLevel[];
  /** The operations that the run calls, or whose presence it reports. */
  readonly operations: readonly ProbedOperation[];
  /** Every check of the contract that has steps, by its id. */
  readonly planned: ReadonlyMap<string, Check>;
  /** The ids of all checks of the contract. Undefined if only those of some operations were derived. */
  readonly existing?: ReadonlySet<string>;
  /** The operations that a check calls, by its id. */
  readonly callsOf: (id: string) => readonly string[];
}

/** Selects the checks of a run. Throws a `CouldNotRunError` if there are none. */
export function selectChecks(
  { checks, codeChecks, probes, operations }: ContractAtLevel,
  options: SelectionOptions & Pick<RunOptions, "exclude">,
): SelectedChecks {
  const planned = new Map([...checks, ...probes].map((one) => [one.id, one]));
  const presenceChecks = [...operations.keys()].map(presenceCheck);
  const all: CheckToRun[] = [];
  const called = createCalls(operations);
  const callsById = new Map<string, Calls>();
  // A contract of thousands of operations has hundreds of thousands of checks: each is looked at once, and they share what they call.
  const add = ({ id, operation, rules, reliesOn }: Omit<CheckToRun, "calls">, calls: Calls) => {
    callsById.set(id, calls);
    all.push({ id, operation, rules, ...(reliesOn === undefined ? {} : { reliesOn }), calls: calls.named });
  };
  for (const check of presenceChecks) add(check, called([check.operation]));
  for (const check of checks) add(check, called(operationsOf(check)));
  for (const check of codeChecks) add(check, called(operationsOfCode(operations, check)));
  for (const check of probes) add(check, called(operationsOf(check)));
  const callsOf = (id: string) => callsById.get(id)?.ids ?? [];
  const selected = selectAmong(all, options);
  const { isSelected } = selected;
  const ofRun = <Given extends { readonly id: string }>(given: readonly Given[]) =>
    given.filter(({ id }) => isSelected(id));
  const ofRunById = { checks: ofRun(checks), probes: ofRun(probes), codeChecks: ofRun(codeChecks) };
  const inRun = new Set(Object.values(ofRunById).flatMap((ofKind) => ofKind.flatMap(({ id }) => callsOf(id))));
  return {
    ...{ ...selected, ...ofRunById, planned, callsOf },
    operations: [...operations.values()].filter(
      ({ operationId }) => inRun.has(operationId) || isSelected(presenceCheck(operationId).id),
    ),
  };
}

/** Whether an operation may have probes that a selection names. Undefined if any may, since rules of any kind are named. */
export function probesMeant({
  only = [],
  operations = [],
}: SelectionOptions): ((operation: ProbedOperation) => boolean) | undefined {
  const isOfIds = only.length > 0 && only.every((name) => /^(?:case|workflow|probe|operation) /.test(name));
  if (!isOfIds && operations.length === 0) return undefined;
  const isAllowed = createAllowance({ operations });
  const heads = isOfIds ? only.map((name) => name.split("*", 1)[0] ?? "") : [""];
  return (operation) => {
    const id = `probe ${operation.operationId}/`;
    const mayBeNamed = heads.some((head) => id.startsWith(head) || head.startsWith(id));
    return mayBeNamed && isAllowed({ id: operation.operationId, title: operation.title });
  };
}

/** The operations that a check calls, also with their titles. */
interface Calls {
  readonly ids: readonly string[];
  readonly named: readonly CalledOperation[];
}

/** Creates a function that finds operations, the same list for the same single one. */
function createCalls(operations: ReadonlyMap<string, ProbedOperation>): (ids: readonly string[]) => Calls {
  const name = (id: string) => ({ id, title: operations.get(id)?.title });
  const single = new Map([...operations.keys()].map((id) => [id, { ids: [id], named: [name(id)] }]));
  return (ids) => {
    const [only = "", ...others] = ids;
    const known = others.length === 0 ? single.get(only) : undefined;
    return known ?? { ids, named: ids.map(name) };
  };
}

/** The operations that a check in code calls: those that it names, and those that its rules are about. */
function operationsOfCode(
  operations: ReadonlyMap<string, ProbedOperation>,
  { rules, calls = [] }: CodeCheckAtLevel,
): string[] {
  const about = [...operations.values()].flatMap(({ operationId, ownRules }) =>
    ownRules.some(({ id }) => rules.includes(id)) ? operationId : [],
  );
  return [...calls, ...about];
}
