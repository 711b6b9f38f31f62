/** Waits until all work is over, also when some of it fails, so that nothing goes on afterwards. Rejects then as the first that failed. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
