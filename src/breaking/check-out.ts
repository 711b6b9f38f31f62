import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix, sep } from "node:path";
import { promisify } from "node:util";
import { UsageError } from "../base/usage-error.js";

/** How much of a revision is read at once, in bytes. */
export const maxReadBytes = 32 * 1024 * 1024;

/** A file or link of a revision. */
interface Entry {
  readonly path: string;
  readonly id: string;
  readonly bytes: number;
  readonly isLink: boolean;
}

/**
 * Writes files of a revision into a folder, which it makes. `isWanted` gets their paths in the repository. A link to another file becomes a
 * copy of it. The checkout and its index stay as they are, and no hook, filter or other program that the repository names runs. Throws a
 * `UsageError` if there is no such revision.
 */
export async function checkOut(
  root: string,
  revision: string,
  folder: string,
  isWanted: (path: string) => boolean,
): Promise<void> {
  const entries = await listEntries(root, await findCommit(root, revision));
  const files = new Map(entries.flatMap((one) => (one.isLink ? [] : [[one.path, one]])));
  const wanted = entries.filter(({ path }) => isWanted(path));
  const links = wanted.filter(({ isLink }) => isLink);
  const targets = await readBlobs(root, links);
  const sources = wanted.map((one) => {
    const target = targets[links.indexOf(one)]?.toString("utf8") ?? "";
    return {
      to: join(folder, one.path),
      from: one.isLink ? files.get(posix.join(posix.dirname(one.path), target)) : one,
    };
  });
  await mkdir(folder);
  let batch: { readonly to: string; readonly from: Entry }[] = [];
  const write = async () => {
    const contents = await readBlobs(
      root,
      batch.map(({ from }) => from),
    );
    for (const [at, { to }] of batch.entries()) {
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, contents[at] ?? "");
    }
    batch = [];
  };
  for (const { to, from } of sources) {
    // The names in a tree are anybody's.
    if (from === undefined || !to.startsWith(folder + sep)) continue;
    if (bytesOf(batch) + from.bytes > maxReadBytes) await write();
    batch.push({ to, from });
  }
  await write();
}

function bytesOf(batch: readonly { readonly from: Entry }[]): number {
  return batch.reduce((sum, { from }) => sum + from.bytes, 0);
}

/** The id of a commit, which no command takes for an option or a range. */
async function findCommit(root: string, revision: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const found = (await git(root, args).catch(() => "")).split("\n").at(-1) ?? "";
  if (/^[0-9a-f]{40,64}$/.test(found)) return found;
  throw new UsageError(
    `${revision} is neither a Git revision of this clone, a folder nor a file. A shallow clone lacks older revisions: git fetch --unshallow --tags`,
  );
}

async function listEntries(root: string, commit: string): Promise<Entry[]> {
  const listed = await git(root, ["ls-tree", "-r", "-l", "-z", "--full-tree", commit]);
  return listed.split("\0").flatMap((line): Entry[] => {
    const [, mode = "", id = "", bytes, path = ""] = /^(\d+) blob (\S+) +(\d+)\t(.*)$/s.exec(line) ?? [];
    return path === "" ? [] : [{ path, id, bytes: Number(bytes), isLink: mode === "120000" }];
  });
}

/** The contents of files, in their order. Applies no filter, unlike a checkout. */
async function readBlobs(root: string, entries: readonly Entry[]): Promise<Buffer[]> {
  if (entries.length === 0) return [];
  const output = await runGit(root, ["cat-file", "--batch"], entries.map(({ id }) => `${id}\n`).join(""));
  let at = 0;
  return entries.map(({ bytes }) => {
    const start = output.indexOf("\n", at) + 1;
    // A newline ends each content.
    at = start + bytes + 1;
    return output.subarray(start, start + bytes);
  });
}

/** Runs Git in a folder and returns its output without the last newline. */
export async function git(folder: string, args: readonly string[]): Promise<string> {
  return (await runGit(folder, args)).toString("utf8").trim();
}

/** What Git must not do, whatever the settings of a repository say: run programs, or fetch. */
const harmless = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager", "--no-replace-objects"];
const offline = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
};

async function runGit(folder: string, args: readonly string[], input = ""): Promise<Buffer> {
  const options = { cwd: folder, env: { ...process.env, ...offline }, encoding: "buffer", maxBuffer: 1 << 29 } as const;
  const running = promisify(execFile)("git", [...harmless, ...args], options);
  // Git may end without reading it; what then fails is the run.
  running.child.stdin?.on("error", () => {}).end(input);
  return (await running).stdout;
}
