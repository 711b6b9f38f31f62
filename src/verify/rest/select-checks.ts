import { once } from "../../base/once.js";
import { operationsOf } from "../../contract/calls.js";
import type { Check, Depth } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { groupBy } from "../../text/group-by.js";
import {
  type CalledOperation,
  type CheckToRun,
  calledOperations,
  createAllowance,
  type Selected,
  type SelectionOptions,
  selectAmong,
} from "../create-selection.js";
import type { Probe } from "../derive/probe-source.js";
import { isWithinDepth } from "../run/at-depth.js";
import type { Planned } from "../run/planned.js";
import { presenceCheck } from "../run/presence-check.js";
import type { RunPlan } from "../run/run-plan.js";
import type { RunOptions } from "../run-options.js";
import type { ContractAtLevel } from "./contract-at-level.js";
import type { CodeCheckAtLevel } from "./load-code-checks.js";

/** The checks of a run, out of those of a contract. */
export interface SelectedChecks extends Pick<Selected, "isSelected" | "exclusionOf"> {
  /** Cases and workflows. */
  readonly checks: readonly Check[];
  readonly codeChecks: readonly CodeCheckAtLevel[];
  /** The selected probes of an operation. */
  readonly probesOf: (operationId: string) => readonly Probe[];
  /** The operations that have selected probes, or may have some. */
  readonly probed: readonly string[];
  /** The operations that the run calls, or whose presence it reports. */
  readonly operations: readonly ProbedOperation[];
  /** Every check of the contract that has steps. */
  readonly planned: Planned;
  /** The checks of an operation that have steps, whether they are selected or not. */
  readonly checksOf: (operationId: string) => readonly Check[];
  /** The operations that a check calls, by its id. */
  readonly callsOf: (id: string) => readonly string[];
  /** What is known when all checks are listed. If everything is selected, they are when this is first called. */
  readonly listed: RunPlan["listed"];
}

/** What is selected besides a depth. */
export type ChecksSelection = SelectionOptions & Pick<RunOptions, "exclude"> & { readonly depth: Depth };

/** Selects the checks of a run. Throws a `CouldNotRunError` if there are none. */
export function selectChecks(
  { checks: ofAllDepths, codeChecks, probes, operations }: ContractAtLevel,
  options: ChecksSelection,
): SelectedChecks {
  const checks = ofAllDepths.filter((check) => isWithinDepth(check, options.depth));
  const written = new Map(checks.map((one) => [one.id, one]));
  const writtenOf = groupBy(checks, ({ operation }) => operation);
  const list = once(() => {
    const byId = new Map<string, CheckToRun>();
    const called = createCalls(operations);
    // A contract of thousands of operations has hundreds of thousands of checks: each is looked at once, and they share what they call.
    const add = ({ id, operation, rules, reliesOn }: Omit<CheckToRun, "calls">, calls: readonly CalledOperation[]) =>
      byId.set(id, { id, operation, rules, ...(reliesOn === undefined ? {} : { reliesOn }), calls });
    for (const check of [...operations.keys()].map(presenceCheck)) add(check, called([check.operation]));
    for (const check of checks) add(check, called(operationsOf(check)));
    for (const check of codeChecks) add(check, called(operationsOfCode(operations, check)));
    for (const check of probes) add(check, called(operationsOf(check)));
    return { byId, selected: selectAmong([...byId.values()], options) };
  });
  const get = (id: string) =>
    written.get(id) ?? (id.startsWith("probe ") ? probes.of(list().byId.get(id)?.operation ?? "").get(id) : undefined);
  const shared = {
    planned: {
      get,
      values: function* () {
        yield* checks;
        yield* probes;
      },
    },
    checksOf: (id: string) => [...(writtenOf.get(id) ?? []), ...probes.of(id).values()],
    callsOf: (id: string) => {
      const check = list().byId.get(id);
      return check === undefined ? [] : calledOperations(check).map((called) => called.id);
    },
    listed: () => list().selected,
  };
  if (isEverything(options) && operations.size > 0)
    return {
      ...shared,
      ...{ checks, codeChecks, operations: [...operations.values()], probed: [...operations.keys()] },
      ...{ probesOf: (id) => [...probes.of(id).values()], isSelected: () => true, exclusionOf: () => undefined },
    };
  const { reported, isSelected, exclusionOf } = list().selected;
  const ofRun = <Given extends { readonly id: string }>(given: Iterable<Given>) =>
    [...given].filter(({ id }) => isSelected(id));
  const inRun = new Set(
    reported.flatMap(({ id, calls = [] }) => (id.startsWith("operation ") ? [] : calls.map((called) => called.id))),
  );
  return {
    ...shared,
    ...{ checks: ofRun(checks), codeChecks: ofRun(codeChecks), probesOf: (id) => ofRun(probes.of(id).values()) },
    ...{ isSelected, exclusionOf },
    probed: [...new Set(reported.flatMap(({ id, operation }) => (id.startsWith("probe ") ? operation : [])))],
    operations: [...operations.values()].filter(
      ({ operationId }) => inRun.has(operationId) || isSelected(presenceCheck(operationId).id),
    ),
  };
}

/** Whether a selection leaves nothing out, so that it is known before any probe is derived. */
function isEverything({ only = [], operations = [], ids, shard, exclude = [] }: ChecksSelection): boolean {
  return only.length + operations.length + exclude.length === 0 && ids === undefined && shard === undefined;
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

/** Creates a function that finds operations, the same list for the same single one. */
function createCalls(
  operations: ReadonlyMap<string, ProbedOperation>,
): (ids: readonly string[]) => readonly CalledOperation[] {
  const name = (id: string) => ({ id, title: operations.get(id)?.title });
  const single = new Map([...operations.keys()].map((id) => [id, [name(id)]]));
  return (ids) => {
    const [only = "", ...others] = ids;
    return (others.length === 0 ? single.get(only) : undefined) ?? ids.map(name);
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
