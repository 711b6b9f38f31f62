import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import type { Step } from "../../../src/contract/check.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import { type CheckToRun, createNameFilter } from "../../../src/verify/create-selection.js";
import type { ChatFault } from "./fault.js";

/** A check with everything that it reaches. */
interface CallingCheck extends CheckToRun {
  /** The operations that it reaches, and the provider states that it sets up. */
  readonly reaches: readonly string[];
}

function stateCall(state: string): string {
  return `state ${state}`;
}

/** Lists every check of the contract at the newest feature level. */
export async function listChecks(): Promise<CallingCheck[]> {
  const { contract, checks, codeChecks, probes } = await chatAtLevel(newestLevel);
  // A check in code calls what its rules are about.
  const operationsOf = (rules: readonly string[]) =>
    listOperations(contract).flatMap(({ operation: { operationId, "x-rules": own = [] } }) =>
      own.some(({ id }) => rules.includes(id)) ? operationId : [],
    );
  return [
    ...checks.map(({ steps, ...check }) => ({ ...check, reaches: steps.flatMap(callsOf) })),
    ...codeChecks.map(({ run: _, calls: __, ...check }) => ({ ...check, reaches: operationsOf(check.rules) })),
    ...[...probes].map(({ steps: _, ...probe }) => ({ ...probe, reaches: [probe.operation] })),
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

/** A fault in a round, and the operations that its checks call. */
interface Participant {
  readonly fault: ChatFault;
  readonly reaches: ReadonlySet<string>;
}

/**
 * Groups faults that can be injected together, so that one verification covers several. No check of one fault reaches an operation
 * that another fault changes, so each fault gets the same verdict as alone.
 */
export function planRounds(faults: readonly ChatFault[], checks: readonly CallingCheck[]): ChatFault[][] {
  const rounds: Participant[][] = [];
  for (const fault of faults) {
    const isLookedAt = createNameFilter(fault.checkedBy);
    // Every verification first reads the feature level from the settings.
    const reaches = new Set(["getServerSettings", ...checks.filter(isLookedAt).flatMap((check) => check.reaches)]);
    const participant = { fault, reaches };
    const round = rounds.find((others) =>
      others.every((other) => !disturbs(other, participant) && !disturbs(participant, other)),
    );
    if (round === undefined) rounds.push([participant]);
    else round.push(participant);
  }
  return rounds.map((round) => round.map(({ fault }) => fault));
}

function disturbs({ fault: { behaviour } }: Participant, { reaches }: Participant): boolean {
  const { on, states = [] } = behaviour;
  return on === "all" || [...on, ...states.map(stateCall)].some((call) => reaches.has(call));
}
