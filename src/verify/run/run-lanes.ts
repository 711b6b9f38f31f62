import type { Check } from "../../contract/check.js";
import type { CheckOutcome, CheckResult } from "../../report/model/check-result.js";
import { maxUnanswered, serverDownReason } from "../../report/model/server-down.js";
import { runAll } from "../run-all.js";
import { type CheckRun, runSteps } from "./run-steps.js";
import type { Session } from "./session.js";

/** A check that can run. */
export interface Runnable extends Omit<CheckResult, "outcome" | "durationMs"> {
  /** Whether it mostly waits for a time limit of the server. If several checks run at the same time, it does not count as one of them. */
  readonly waits?: boolean;
  /** Rejects only on a fault of this package, or once the run is aborted. */
  readonly run: () => Promise<CheckRun>;
}

/** A check as the queue takes it. */
export function toRunnable(check: Check, createSession: (id: string) => Session): Runnable {
  const { steps: _, knownLevelsOnly: __, leavesNothing: ___, removals: ____, ...about } = check;
  return { ...about, run: () => runSteps(check, createSession(check.id)) };
}

/** Checks that run one after another, for example because they share an organization. */
export type Lane = readonly Runnable[];

/** How to run checks. */
export interface RunLanesOptions {
  /** Runs a check while it watches over the server. Defaults to running it. */
  readonly watched?: (check: Runnable) => Promise<CheckRun>;
  /** How many lanes run at the same time. */
  readonly jobs: number;
  /** Ends the run. Checks that have not finished are not reported. */
  readonly signal: AbortSignal;
  readonly onCheck: (check: CheckResult) => void;
}

/**
 * Runs checks and reports each as soon as it is done. After ten checks in a row without a response, sends no more: the server is gone.
 * Resolves to the time in milliseconds in which only checks ran that wait.
 */
export async function runLanes(
  lanes: Iterable<Lane>,
  { jobs, signal, watched = ({ run }) => run(), onCheck }: RunLanesOptions,
): Promise<number> {
  let unanswered = 0;
  let isGone = false;
  const runOne = async (check: Runnable) => {
    const { run: _, waits: __, ...about } = check;
    const started = performance.now();
    const { outcome, isAnswered } = isGone ? gone : await watched(check);
    if (signal.aborted) return;
    // A check that was skipped may have sent nothing.
    if (outcome.kind !== "skipped") unanswered = isAnswered ? 0 : unanswered + 1;
    isGone ||= unanswered >= maxUnanswered;
    onCheck({ ...about, outcome, durationMs: performance.now() - started });
  };
  const runLane = async (lane: Lane) => {
    for (const check of lane) {
      if (signal.aborted) return;
      try {
        await runOne(check);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
    }
  };
  const listed = jobs > 1 && Array.isArray(lanes) ? (lanes as readonly Lane[]) : [];
  const waiting = listed.filter((lane) => lane.some(({ waits }) => waits));
  const others = waiting.length === 0 ? lanes : listed.filter((lane) => !waiting.includes(lane));
  const runOthers = async () => {
    await runAll(others, jobs, runLane, signal);
    return performance.now();
  };
  const [end] = await Promise.all([runOthers(), runAll(waiting, waiting.length, runLane, signal)]);
  return performance.now() - end;
}

const goneOutcome: CheckOutcome = { kind: "errored", reason: serverDownReason, trace: [] };
const gone: CheckRun = { outcome: goneOutcome, isAnswered: false };
