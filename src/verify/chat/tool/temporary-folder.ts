import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Calls `work` with a private temporary folder, and removes the folder afterwards, or when this process exits. Nothing may use the folder
 * once `work` is settled: see `settleAll`.
 */
export async function withTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "accord-verify-"));
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeAtExit);
  try {
    return await work(folder);
  } finally {
    process.off("exit", removeAtExit);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Waits until all work is settled, then rejects with the first failure, if any. Unlike `Promise.all`, leaves no work running. */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}
