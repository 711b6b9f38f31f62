import type { CheckRun } from "./run-steps.js";

/** A check, or another piece of work that makes calls. */
export interface WatchedCheck {
  readonly id: string;
  /** Says what is odd about its request, after the name of the value: "`name` is nested 5,000 deep". */
  readonly summary?: string;
  /** The operations that it calls. */
  readonly calls: readonly string[];
  /** Whether it changes nothing. */
  readonly isRead: boolean;
  readonly run: () => Promise<CheckRun>;
}

/** A check of an incident, with what it got. */
export interface Joined {
  readonly check: WatchedCheck;
  readonly result: CheckRun;
  /** How often it has run. */
  readonly runs: number;
  /** `undefined`: it runs again. */
  readonly settle: (outcome: CheckRun | undefined) => void;
  readonly fail: (reason: unknown) => void;
}

/** What happens from the first request without a response until its cause is known. No other check starts meanwhile. */
export interface Incident {
  readonly join: (check: WatchedCheck, result: CheckRun, runs: number) => Promise<CheckRun | undefined>;
  readonly leave: (check: WatchedCheck) => void;
  readonly isOver: Promise<void>;
}

/** Begins an incident with the checks that run. `judge` settles all of them once each has joined or left; then `end` is called. */
export function createIncident(
  running: Iterable<WatchedCheck>,
  judge: (joined: readonly Joined[]) => Promise<void>,
  end: () => void,
): Incident {
  const awaited = new Set(running);
  const joined: Joined[] = [];
  let isOver = () => {};
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  const judgeOnceComplete = () => {
    if (awaited.size > 0) return;
    judge(joined)
      .catch((error: unknown) => {
        for (const { fail } of joined) fail(error);
      })
      .finally(() => {
        end();
        isOver();
      });
  };
  return {
    isOver: over,
    join: (check, result, runs) => {
      awaited.delete(check);
      const settling = new Promise<CheckRun | undefined>((settle, fail) =>
        joined.push({ check, result, runs, settle, fail }),
      );
      judgeOnceComplete();
      return settling;
    },
    leave: (check) => {
      if (awaited.delete(check)) judgeOnceComplete();
    },
  };
}
