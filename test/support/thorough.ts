/** Whether to run the tests in full, including what takes minutes (CONTRIBUTING.md lists it). `npm test -- --thorough` sets it. */
export const isThorough = process.env.ACCORD_THOROUGH === "1";

/** All items in a thorough run, otherwise every nth, beginning with the first. */
export function sampleOf<Item>(items: readonly Item[], nth: number): readonly Item[] {
  return isThorough ? items : items.filter((_, index) => index % nth === 0);
}
