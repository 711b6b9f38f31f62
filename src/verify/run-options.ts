import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { requireInteger } from "../base/require-integer.js";
import type { CheckResult } from "../report/model/check-result.js";
import type { Degree } from "../report/model/degree.js";
import type { SelectionOptions } from "./create-selection.js";

/** Options of every verification, whatever the contract. */
export interface RunOptions extends SelectionOptions {
  /** What the run may send. Defaults to `reads`; provider states imply `everything`, because a server with them is there for tests. */
  readonly degree?: Degree;
  /** Names of operations, RPCs or checks that are never sent; `*` matches any text. Defaults to none. */
  readonly exclude?: readonly string[];
  /** The maximum number of requests per second of the whole run. Defaults to no maximum. */
  readonly rate?: number;
  /** How many checks run at the same time, at least 1. Defaults to twice the number of processors. */
  readonly jobs?: number;
  /** How long each call over HTTP, or all calls of a check of RPCs, may take in milliseconds, at least 1. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** How long a server that went away has to come back, in milliseconds; 0 to give up at once. Defaults to 30,000. */
  readonly restartWaitMs?: number;
  /** The minimum share of rules that a run must exercise for a verdict, in percent, from 0 to 100. Defaults to 50. */
  readonly minExercised?: number;
  /** Ends the run at the first failed check that is not known to fail. Defaults to false. */
  readonly bail?: boolean;
  /** Whether a recommendation that the server does not follow counts as broken. Defaults to false. */
  readonly strict?: boolean;
  /** Checks that are known to fail, with the reason. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  /** Ends the run and everything that it has started. The report then holds the completed checks, and is `stopped`. */
  readonly signal?: AbortSignal;
  /** Called with the number of checks as soon as it is known. */
  readonly onPlanned?: (count: number) => void;
  /** Called with each check as soon as it is complete. */
  readonly onCheck?: (check: CheckResult) => void;
}

/** The defaults of optional run options. */
export const defaultRunOptions = {
  jobs: availableParallelism() * 2,
  timeoutMs: 30_000,
  restartWaitMs: 30_000,
} as const;

/** The maximum of `timeoutMs`: an hour. */
export const maxTimeoutMs = 60 * 60 * 1000;

/** The maximum of `rate`, above which a timer says nothing. */
export const maxRate = 1000;

/** The maximum seed of random requests. */
export const maxSeed = 2 ** 31 - 1;

/** Run options with the defaults filled in. */
export type ResolvedRunOptions<Options extends RunOptions> = Options & {
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly restartWaitMs: number;
};

/** Fills in the defaults of run options. Throws a `CouldNotRunError` that names the option and its bounds if a value is out of bounds. */
export function resolveRunOptions<Options extends RunOptions>(options: Options): ResolvedRunOptions<Options> {
  const { jobs: ownJobs, timeoutMs: ownTimeoutMs, restartWaitMs: ownWaitMs } = defaultRunOptions;
  const { jobs: given = ownJobs, timeoutMs = ownTimeoutMs, restartWaitMs = ownWaitMs, shard } = options;
  requireInteger("jobs", given, 1);
  if (options.minExercised !== undefined) requireInteger("minExercised", options.minExercised, 0, 100);
  requireInteger("timeoutMs", timeoutMs, 1, maxTimeoutMs);
  requireInteger("restartWaitMs", restartWaitMs, 0, maxTimeoutMs);
  if (options.rate !== undefined) requireInteger("rate", options.rate, 1, maxRate);
  // More checks at the same time would only wait for each other, and use up their time limits.
  const jobs = Math.min(given, options.rate ?? given);
  if (shard !== undefined) {
    requireInteger("shard.of", shard.of, 1);
    requireInteger("shard.index", shard.index, 1, shard.of);
  }
  return { ...options, jobs, timeoutMs, restartWaitMs };
}

/** Returns the seed, or a random one if it is undefined. Throws a `CouldNotRunError` unless it is an integer from 0 to `maxSeed`. */
export function resolveSeed(seed = randomInt(maxSeed)): number {
  requireInteger("seed", seed, 0, maxSeed);
  return seed;
}
