import { isThorough } from "./thorough.js";

/**
 * The seed of property tests: constant, so that runs are repeatable, unless the environment variable `PROPERTY_SEED` is a number. A
 * failure prints its seed.
 */
export const propertySeed = Number(process.env.PROPERTY_SEED ?? 20_251_104);

/**
 * The number of runs of a property test: the usual number, multiplied by `PROPERTY_RUNS`, which defaults to 1 in thorough runs and to
 * 0.25 in others.
 */
export function propertyRuns(usual: number): number {
  return Math.ceil(usual * Number(process.env.PROPERTY_RUNS ?? (isThorough ? 1 : 0.25)));
}
