/** Starts all calls before the first is answered. Each has a connection of its own. */
export function atOnce<Result>(calls: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  return Promise.all(calls.map((call) => call()));
}
