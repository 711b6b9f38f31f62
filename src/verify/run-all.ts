/**
 * Processes items in order, up to `jobs` at a time. Starts no more items after the signal is aborted, but completes those that it has
 * started. Rejects as soon as `work` rejects for an item.
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
