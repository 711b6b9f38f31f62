import type { Check, Step } from "../../contract/check.js";
import type { LostRequest } from "../../judge/exchange.js";
import type { Scope } from "../../judge/expressions.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import { type CheckProgress, type End, noProgress, scopeOf } from "./progress.js";
import { runStep } from "./run-step.js";
import type { Session } from "./session.js";
import { outcomeAt, passedOutcome } from "./step-outcome.js";

/** The result of a check. */
export interface CheckRun {
  readonly outcome: CheckOutcome;
  /** Whether the server answered every request. */
  readonly isAnswered: boolean;
  /** The request without a response that ended the check, if one did. */
  readonly lost?: LostRequest;
}

const newerServerReason = "the server has a newer feature level than the contract";

/** The states of a check, set up. */
export interface Prepared {
  readonly session: Session;
  readonly progress: CheckProgress;
  /** The values of the states. */
  readonly scope: Scope;
}

/** Runs the steps of a check in order, until one fails. Rejects only on a fault of this package, or once `session` is aborted. */
export async function runSteps(check: Check, session: Session): Promise<CheckRun> {
  try {
    return await runInOrder(check, session);
  } finally {
    await session.close?.();
  }
}

async function runInOrder(check: Check, session: Session): Promise<CheckRun> {
  if (check.knownLevelsOnly && session.isNewer) {
    return { outcome: { kind: "skipped", reason: newerServerReason }, isAnswered: true };
  }
  if (needsStates(check) && !session.hasStates) return withoutStates;
  const prepared = await prepare(check, session);
  return "outcome" in prepared ? prepared : runPrepared(check, prepared);
}

/** Whether a check sets up provider states. */
export function needsStates({ steps }: Pick<Check, "steps">): boolean {
  return steps.some(({ kind }) => kind === "state");
}

/** Why a check that needs provider states is skipped when none are available. */
export const needsStatesReason = "it needs provider states: give --states";

/** The result of a check that needs provider states if there are none. */
export const withoutStates: CheckRun = {
  outcome: { kind: "skipped", reason: needsStatesReason, need: { kind: "states" } },
  isAnswered: true,
};

/** Sets up the states with which a check begins. Resolves to its result if that fails. */
export async function prepare(check: Check, session: Session): Promise<Prepared | CheckRun> {
  const progress = noProgress();
  const prepared = { session, progress, scope: scopeOf(progress) };
  return (await runFrom(0, check, prepared, (step) => step.kind === "state")) ?? prepared;
}

/** Runs the other steps of a check. The values of the states stay as they are. */
export async function runPrepared(check: Check, { session, progress }: Prepared): Promise<CheckRun> {
  const { values, credentials } = progress;
  const own: CheckProgress = { ...noProgress(), values: new Map(values), credentials };
  const first = check.steps.findIndex(({ kind }) => kind !== "state");
  const end =
    first < 0 ? undefined : await runFrom(first, check, { session, progress: own, scope: scopeOf(own) }, () => true);
  return end ?? { outcome: await passedOutcome(check, session, own), isAnswered: true };
}

/** Runs steps as long as they pass a test. Resolves to the result if one of them ends the check. */
async function runFrom(
  first: number,
  check: Check,
  prepared: Prepared,
  isMeant: (step: Step) => boolean,
): Promise<CheckRun | undefined> {
  const { session, progress } = prepared;
  for (const [index, step] of check.steps.entries()) {
    if (index < first) continue;
    if (!isMeant(step)) return undefined;
    const end = await runStep(check, step, session, progress);
    if (end === undefined) continue;
    if (end.kind === "broken") await readBackAfter(check, index, end, prepared);
    const outcome = await outcomeAt(check, index, end, session, progress);
    for (const later of check.steps.slice(index + 1))
      if (check.removals?.includes(later.id)) await runStep(check, later, session, progress);
    const lost = "lost" in end && end.lost !== undefined ? { lost: end.lost } : {};
    return { outcome, isAnswered: end.kind !== "not-run" || end.isAnswered, ...lost };
  }
  return undefined;
}

/** Reads after a request that was refused in a wrong way, since it may have changed something as well. */
async function readBackAfter(
  check: Check,
  index: number,
  { letThrough }: End & { readonly kind: "broken" },
  { session, progress }: Prepared,
): Promise<void> {
  // Where a check fails, what earlier responses deviated in is a lesser problem.
  progress.deviations.length = 0;
  if (letThrough) return;
  for (const step of check.steps.slice(index + 1)) {
    if (step.kind !== "call" || step.readBack?.since === undefined) return;
    await runStep(check, step, session, progress);
  }
}
