import { availableParallelism } from "node:os";
import { requireInteger } from "./require-integer.js";
import type { RunOptions } from "./run-options.js";

/** What the options are that may be left out. */
export const defaultRunOptions = { jobs: availableParallelism() * 2, timeoutMs: 30_000 } as const;

/** How long a check may take at most: an hour, in milliseconds. */
export const longestTimeoutMs = 60 * 60 * 1000;

/** Options of a run in which nothing is left out that a run needs. */
export type ResolvedRunOptions<Options extends RunOptions> = Options & {
  readonly jobs: number;
  readonly timeoutMs: number;
};

/**
 * The options of a run with their defaults. Throws a `CouldNotRunError` that names the option and what it may be, when one of them is
 * out of its bounds.
 */
export function resolveRunOptions<Options extends RunOptions>(options: Options): ResolvedRunOptions<Options> {
  const { jobs = defaultRunOptions.jobs, timeoutMs = defaultRunOptions.timeoutMs, shard } = options;
  requireInteger("jobs", jobs, 1);
  if (options.minExercised !== undefined) requireInteger("minExercised", options.minExercised, 0, 100);
  requireInteger("timeoutMs", timeoutMs, 1, longestTimeoutMs);
  if (shard !== undefined) {
    requireInteger("shard.of", shard.of, 1);
    requireInteger("shard.index", shard.index, 1, shard.of);
  }
  return { ...options, jobs, timeoutMs };
}
