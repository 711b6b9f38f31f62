/** Runs `work`; returns its duration and its result. */
export async function timed<T>(work: () => Promise<T>): Promise<{ milliseconds: number; value: T }> {
  const start = performance.now();
  const value = await work();
  return { milliseconds: performance.now() - start, value };
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Measures two things in turn, so that a change in machine speed affects both. Returns the median of each and of the ratio, which is the
 * figure to quote.
 */
export async function compare(rounds: number, ours: () => Promise<number>, peer: () => Promise<number>) {
  const pairs: { ours: number; peer: number }[] = [];
  for (let round = 0; round < rounds; round++) pairs.push({ ours: await ours(), peer: await peer() });
  return {
    ours: median(pairs.map((pair) => pair.ours)),
    peer: median(pairs.map((pair) => pair.peer)),
    ratio: median(pairs.map((pair) => pair.ours / pair.peer)),
  };
}

/** Measures requests per second of `call` with ten pending at a time, for about `milliseconds`. */
export async function throughput(milliseconds: number, call: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + milliseconds;
  const start = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (performance.now() < end) {
        await call();
        count++;
      }
    }),
  );
  return (count * 1000) / (performance.now() - start);
}
