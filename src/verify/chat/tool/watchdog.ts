/** How long a tool may take to start its first check, in milliseconds: it reads the contract. */
export const maxStartMs = 120_000;

/** How much longer than allowed one check may take before the tool is killed, in milliseconds. */
export const graceMs = 10_000;

/** Detects a lack of progress. */
export interface Watchdog {
  /** Records progress; the next progress is due within `timeoutMs`. */
  readonly restart: (timeoutMs: number) => void;
  readonly stop: () => void;
  readonly hasExpired: boolean;
}

/** Creates a watchdog that calls `onExpired` after `timeoutMs` milliseconds without progress. */
export function createWatchdog(timeoutMs: number, onExpired: () => void): Watchdog {
  let hasExpired = false;
  let isStopped = false;
  const start = (ms: number) =>
    setTimeout(() => {
      hasExpired = true;
      onExpired();
    }, ms);
  let timer = start(timeoutMs);
  return {
    restart: (ms) => {
      // A check for progress may finish only after the watchdog was stopped.
      if (isStopped) return;
      clearTimeout(timer);
      timer = start(ms);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    get hasExpired() {
      return hasExpired;
    },
  };
}

/** Describes how a watched tool ended, as a phrase. `end` is the end of its process. */
export function describeEnd({ hasExpired }: Watchdog, end: string): string {
  return hasExpired ? "it took too long and was killed" : `it ended with ${end}`;
}
