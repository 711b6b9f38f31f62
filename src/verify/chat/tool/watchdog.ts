/** Ends what makes no progress. */
export interface Watchdog {
  /** There was progress; the next has to come within so many milliseconds. */
  readonly restart: (timeoutMs: number) => void;
  readonly stop: () => void;
  readonly hasBitten: boolean;
}

/** Calls `bite` when there is no progress for `timeoutMs` milliseconds. */
export function createWatchdog(timeoutMs: number, bite: () => void): Watchdog {
  let hasBitten = false;
  let isStopped = false;
  const start = (ms: number) =>
    setTimeout(() => {
      hasBitten = true;
      bite();
    }, ms);
  let timer = start(timeoutMs);
  return {
    restart: (ms) => {
      // Whoever looks for progress may only come back when all is over.
      if (isStopped) return;
      clearTimeout(timer);
      timer = start(ms);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    get hasBitten() {
      return hasBitten;
    },
  };
}
