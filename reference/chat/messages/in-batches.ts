import { setImmediate as nextRound } from "node:timers/promises";

/** Messages that one statement changes. */
const batchSize = 500;

/**
 * Changes messages in batches, and lets other requests be served in between: a topic can have any number of messages, and statements of
 * SQLite hold up the server. Other writes wait for the end of the transaction.
 */
export async function inBatches(
  ids: readonly number[],
  change: (batch: readonly number[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += batchSize) {
    if (start > 0) await nextRound();
    await change(ids.slice(start, start + batchSize));
  }
}
