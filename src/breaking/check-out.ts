import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { UsageError } from "../base/usage-error.js";

/**
 * Writes files of a revision into a folder, which it makes. `paths` are those of Git. The checkout and its index stay as they are. Throws a
 * `UsageError` if there is no such revision.
 */
export async function checkOut(
  root: string,
  revision: string,
  folder: string,
  paths: readonly string[],
): Promise<void> {
  await git(root, ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]).catch(() => {
    throw new UsageError(
      `${revision} is neither a Git revision of this clone, a folder nor a file. A shallow clone lacks older revisions: git fetch --unshallow --tags`,
    );
  });
  await mkdir(folder);
  const env = { ...process.env, GIT_INDEX_FILE: `${folder}.index` };
  await git(root, [`--work-tree=${folder}`, "checkout", revision, "--", ...paths], env);
}

/** Runs Git in a folder and returns its output without the last newline. */
export async function git(folder: string, args: readonly string[], env = process.env): Promise<string> {
  const { stdout } = await promisify(execFile)("git", [...args], { cwd: folder, env, maxBuffer: 1 << 26 });
  return stdout.trim();
}
