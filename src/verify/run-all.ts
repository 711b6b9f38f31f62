/**
 * Does work on every item, several at a time, in their order. Stops taking items when the signal is aborted; what is under way goes
 * on to its end. Rejects as soon as some work does.
 */
export async function runAll<Item>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) {
      if (signal?.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
}
