/**
 * The seed of property tests: always the same, so that a run can be repeated, unless the environment variable `PROPERTY_SEED` is a
 * number. A failure prints its seed, too.
 */
export const propertySeed = Number(process.env.PROPERTY_SEED ?? 20_251_104);

/** How many runs a property test makes: the usual number, or `PROPERTY_RUNS` times as many, to search longer. */
export function propertyRuns(usual: number): number {
  return usual * Number(process.env.PROPERTY_RUNS ?? 1);
}
