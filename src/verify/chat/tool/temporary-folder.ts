import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Does work with a folder that nobody else can read, and removes it in the end, also when the process exits meanwhile. */
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
