/**
 * Processes items in order, up to `jobs` at a time. Starts no more items after the signal is aborted, but completes those that it has
 * started. Rejects as soon as `work` rejects for an item.
 */
export async function runAll<Item>(
  items: Iterable<Item>,
  jobs: number,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    while (!signal?.aborted) {
      const next = rest.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}
