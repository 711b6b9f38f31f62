import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the next request of a run may leave. Rejects with the reason of a signal once that aborts. */
export type Pace = (signal?: AbortSignal) => Promise<void>;

/** Creates the pace of a run with at most `rate` requests per second, evenly spread; undefined without a rate. */
export function createPace(rate: number | undefined): Pace | undefined {
  if (rate === undefined) return undefined;
  const intervalMs = 1000 / rate;
  let next = 0;
  return async (signal) => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + intervalMs;
    if (turn > now) await sleep(turn - now, undefined, signal === undefined ? {} : { signal });
  };
}
