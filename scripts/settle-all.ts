/** Waits until all work is settled, then rejects with the first failure, if any. Unlike `Promise.all`, leaves no work running. */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
