/** Starts all calls at once. */
export function concurrently<Result>(calls: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  return Promise.all(calls.map((call) => call()));
}
