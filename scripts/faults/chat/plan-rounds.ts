import { newestLevel } from "../../../generated/chat/request-levels.js";
import { listOperations } from "../../../src/contract/chat/operations.js";
import { listRules } from "../../../src/contract/chat/rules.js";
import type { Step } from "../../../src/contract/check.js";
import { contractAtLevel } from "../../../src/verify/chat/contract-at-level.js";
import { scriptedCheck, scriptedWorkflows } from "../../../src/verify/chat/scripted/run-script.js";
import { tusCheck, tusWorkflow } from "../../../src/verify/chat/tus/run-tus-check.js";
import { type CheckToRun, createNameFilter } from "../../../src/verify/create-selection.js";
import type { ChatFault } from "./fault.js";

/** A check with everything that it calls. */
interface CallingCheck extends CheckToRun {
  /** The operations that it calls, and the provider states that it sets up. */
  readonly calls: readonly string[];
}

function stateCall(state: string): string {
  return `state ${state}`;
}

/** Lists every check of the contract at the newest feature level. */
export async function listChecks(): Promise<CallingCheck[]> {
  const { contract: view, checks, probes } = await contractAtLevel(newestLevel);
  const tusOperations = listOperations(view)
    .filter(({ operation }) => operation["x-protocol"] === "tus")
    .map(({ operation }) => operation.operationId);
  return [
    ...checks.map(({ steps, ...check }) => ({ ...check, calls: steps.flatMap(callsOf) })),
    ...[tusWorkflow(listRules(view)) ?? []].flat().map((workflow) => ({ ...tusCheck(workflow), calls: tusOperations })),
    ...scriptedWorkflows(view).map((workflow) => ({ ...scriptedCheck(workflow), calls: workflow.calls })),
    ...probes.map(({ id, operationId, rules }) => ({
      id,
      operation: operationId,
      rules,
      calls: [operationId],
    })),
  ];
}

/** Reads before and after refused requests are compared with each other, so a fault changes both alike. */
function callsOf(step: Step): string[] {
  if (step.kind === "parallel") return step.steps.flatMap(callsOf);
  if (step.kind === "state") return [stateCall(step.state)];
  if (step.kind === "serve") return [];
  return step.call === undefined || step.readBack !== undefined ? [] : [step.call];
}

/** A fault, and the checks that it affects. */
export interface AssignedFault {
  readonly fault: ChatFault;
  readonly checks: readonly string[];
}

/**
 * Groups faults by the checks that should notice them, whichever operations they call: no check of a group is affected
 * by two faults, or relies on a rule that another fault breaks. Covers cases and workflows; each of them sets up its
 * own callers, while probes share theirs.
 */
export function planSharedRounds(faults: readonly ChatFault[], checks: readonly CallingCheck[]): AssignedFault[][] {
  const own = checks.filter(({ id }) => !id.startsWith("probe "));
  const rounds: (AssignedFault & { readonly reliesOn: readonly string[] })[][] = [];
  for (const fault of faults) {
    const noticing = own.filter(createNameFilter(fault.checkedBy));
    if (noticing.length === 0) continue;
    const reliesOn = noticing.flatMap((check) => check.reliesOn ?? []);
    const assigned = { fault, checks: noticing.map(({ id }) => id), reliesOn };
    const fits = (other: (typeof rounds)[number][number]) =>
      !other.checks.some((id) => assigned.checks.includes(id)) &&
      !other.reliesOn.some((rule) => fault.breaks.includes(rule)) &&
      !reliesOn.some((rule) => other.fault.breaks.includes(rule));
    const round = rounds.find((members) => members.every(fits));
    if (round === undefined) rounds.push([assigned]);
    else round.push(assigned);
  }
  return rounds;
}

/** Faults that are injected together, and the checks that should notice them, in the format of `--only`. */
export interface Round {
  readonly faults: readonly ChatFault[];
  readonly only: readonly string[];
}

/**
 * Plans rounds of one kind of check each: cases start Dredd, workflows start Respect, and a round with both would start both. A fault takes
 * part in one round for each kind that should notice it.
 */
export function planRoundsByKind(faults: readonly ChatFault[], checks: readonly CallingCheck[]): Round[] {
  const kindOf = ({ id }: CallingCheck) => /^(?:case|probe) /.exec(id)?.[0] ?? "workflow";
  const kinds = [...new Set(checks.map(kindOf))];
  const rounds = kinds.flatMap((kind) => {
    const own = checks.filter((check) => kindOf(check) === kind);
    const noticing = faults.filter(({ checkedBy }) => own.some(createNameFilter(checkedBy)));
    return planRounds(noticing, own).map((round) => {
      const isLookedAt = createNameFilter(round.flatMap(({ checkedBy }) => checkedBy));
      return { faults: round, only: own.filter(isLookedAt).map(({ id }) => id) };
    });
  });
  // A fault may be about a level at which other checks exist.
  const others = faults.filter((fault) => rounds.every((round) => !round.faults.includes(fault)));
  return [...rounds, ...others.map((fault) => ({ faults: [fault], only: fault.checkedBy }))];
}

/** A fault in a round, and the operations that its checks call. */
interface Participant {
  readonly fault: ChatFault;
  readonly calls: ReadonlySet<string>;
}

/**
 * Groups faults that can be injected together, so that one verification covers several. No check of one fault calls an operation
 * that another fault changes, so each fault gets the same verdict as alone.
 */
export function planRounds(faults: readonly ChatFault[], checks: readonly CallingCheck[]): ChatFault[][] {
  const rounds: Participant[][] = [];
  for (const fault of faults) {
    const isLookedAt = createNameFilter(fault.checkedBy);
    // Every verification first reads the feature level from the settings.
    const calls = new Set(["getServerSettings", ...checks.filter(isLookedAt).flatMap((check) => check.calls)]);
    const participant = { fault, calls };
    const round = rounds.find((others) =>
      others.every((other) => !disturbs(other, participant) && !disturbs(participant, other)),
    );
    if (round === undefined) rounds.push([participant]);
    else round.push(participant);
  }
  return rounds.map((round) => round.map(({ fault }) => fault));
}

function disturbs({ fault: { behaviour } }: Participant, { calls }: Participant): boolean {
  const { on, states = [] } = behaviour;
  return on === "all" || [...on, ...states.map(stateCall)].some((call) => calls.has(call));
}
