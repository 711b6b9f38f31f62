/** Starts all calls concurrently, each on its own connection. */
export function concurrently<Result>(calls: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  return Promise.all(calls.map((call) => call()));
}
