/**
 * The seed of property tests: constant, so that runs are repeatable, unless the environment variable `PROPERTY_SEED` is a number. A
 * failure prints its seed.
 */
export const propertySeed = Number(process.env.PROPERTY_SEED ?? 20_251_104);

/** The number of runs of a property test: the given number, multiplied by `PROPERTY_RUNS` for a longer search. */
export function propertyRuns(usual: number): number {
  return usual * Number(process.env.PROPERTY_RUNS ?? 1);
}
