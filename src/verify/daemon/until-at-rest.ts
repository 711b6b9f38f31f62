import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const stepMs = 100;
const restMs = 1_000;

/** How a file is waited for. */
export interface RestOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** How long it lasts at most, in milliseconds. Defaults to ten seconds. */
  readonly longestMs?: number;
}

/**
 * Waits until a file has not grown for a second, looked at ten times a second: what a daemon logs may come after its answer. A file
 * that comes, goes or is replaced by another has grown as well. Rejects only when it is aborted.
 */
export async function untilAtRest(path: string, { longestMs = 10_000, ...options }: RestOptions = {}): Promise<void> {
  let last = await stateOf(path);
  let stillMs = 0;
  for (let waitedMs = 0; stillMs < restMs && waitedMs < longestMs; waitedMs += stepMs) {
    await sleep(stepMs, undefined, options);
    const state = await stateOf(path);
    stillMs = state === last ? stillMs + stepMs : 0;
    last = state;
  }
}

async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size } = await stat(path, { bigint: true });
    return `${ino} ${size}`;
  } catch {
    return "not there";
  }
}
