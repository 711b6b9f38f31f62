import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { countLines, type FileScan, type SecretOwner, scanFile } from "./scan-file.js";

/** A line of a log that shows secrets. */
export interface LogFinding {
  /** Counted from 1 in the file that the log is now. Left out when the line is in a file that was moved away. */
  readonly line?: number;
  /** The cases whose secrets they are, by name. */
  readonly cases: readonly string[];
}

/** Something that could not be searched. */
export interface LogGap {
  /** A sentence that names the file. */
  readonly reason: string;
  /** What to do about it. */
  readonly help: string;
}

/** What a log shows. */
export interface LogSearch {
  /** The first hundred of each file. */
  readonly findings: readonly LogFinding[];
  readonly searchedBytes: number;
  readonly gaps: readonly LogGap[];
}

/** A log that a daemon writes meanwhile. */
export interface WatchedLog {
  readonly path: string;
  /** Searches what was written since the watch began, for the secrets of these cases. Never rejects. */
  readonly search: (owners: readonly SecretOwner[]) => Promise<LogSearch>;
  /** Lets the file go. */
  readonly close: () => Promise<void>;
}

/** How a log is searched. */
export interface WatchLogOptions {
  /** How much of each file is searched. Defaults to 256 MiB. */
  readonly mostBytes?: number;
}

const fingerprintBytes = 256;

/**
 * Remembers where a log ends, so that what a daemon writes from now on can be searched. A log that does not exist yet is watched
 * from its beginning. Only cases with `secrets` fix what a log shows, so no others should run meanwhile.
 *
 * The file stays open: when it is moved away or deleted, the rest of it is searched along with the file in its place. One that was
 * truncated is searched from its beginning. Rejects when there is something that cannot be read.
 */
export async function watchLog(path: string, { mostBytes = 2 ** 28 }: WatchLogOptions = {}): Promise<WatchedLog> {
  const file = await openIfThere(path);
  const start = file === undefined ? 0 : (await file.stat()).size;
  const fingerprint = file === undefined ? undefined : await endingAt(file, start);

  /** The position from which the file that was there is searched: its beginning when it has other bytes now. */
  async function startOf(old: FileHandle): Promise<number> {
    return fingerprint?.equals(await endingAt(old, start)) === true ? start : 0;
  }

  async function searchAll(owners: readonly SecretOwner[], current: FileHandle | undefined): Promise<LogSearch> {
    const findings: LogFinding[] = [];
    const gaps: LogGap[] = current === undefined ? [missing(path)] : [];
    let searchedBytes = 0;
    const take = ({ found, bytes, goesOn }: FileScan, lineOf: (line: number) => Pick<LogFinding, "line">) => {
      findings.push(...found.map(({ line, cases }) => ({ ...lineOf(line), cases })));
      searchedBytes += bytes;
      if (goesOn) gaps.push(tooLong(path, mostBytes));
    };
    const isSame = file !== undefined && current !== undefined && (await areSame(file, current));
    if (file !== undefined) {
      const from = await startOf(file);
      if (from !== start) gaps.push(truncated(path));
      const scan = await scanFile(file, from, mostBytes, owners);
      const before = isSame && scan.found.length > 0 ? await countLines(file, from) : 0;
      take(scan, (line) => (isSame ? { line: before + line } : {}));
    }
    if (current !== undefined && !isSame) {
      take(await scanFile(current, 0, mostBytes, owners), (line) => ({ line }));
    }
    return { findings, searchedBytes, gaps };
  }

  return {
    path,
    search: async (owners) => {
      let current: FileHandle | undefined;
      try {
        current = await openIfThere(path);
        return await searchAll(owners, current);
      } catch (error) {
        return { findings: [], searchedBytes: 0, gaps: [unreadable(path, error)] };
      } finally {
        await current?.close();
      }
    },
    close: async () => {
      await file?.close();
    },
  };
}

function missing(path: string): LogGap {
  return {
    reason: `There is no log file ${path}`,
    help: "Let the daemon log to this file, or name its log by --log-file",
  };
}

function truncated(path: string): LogGap {
  return {
    reason: `The log ${path} was truncated, so what had been written before is not known`,
    help: "Do not empty or rotate the log by truncation while the verification runs; it may be moved away",
  };
}

function tooLong(path: string, bytes: number): LogGap {
  return {
    reason: `The daemon has written more than the ${formatMebibytes(bytes)} of ${path} that were searched`,
    help: "Let the daemon log less: its usual level is enough",
  };
}

function unreadable(path: string, error: unknown): LogGap {
  return {
    reason: `The log ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    help: "It has to be a file that the user who verifies may read",
  };
}

function formatMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toLocaleString("en-US", { maximumFractionDigits: 3 })} MiB`;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe would wait for somebody to write into it.
    if (!(await stat(path)).isFile()) throw new TypeError("it is no file");
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The last bytes before a position. A file that was truncated and has grown again has others there. */
async function endingAt(file: FileHandle, position: number): Promise<Buffer> {
  const length = Math.min(fingerprintBytes, position);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position - length);
  return bytes.subarray(0, bytesRead);
}

async function areSame(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [a, b] = await Promise.all([one.stat({ bigint: true }), other.stat({ bigint: true })]);
  return a.ino === b.ino && a.dev === b.dev;
}

const stepMs = 100;
const restMs = 1_000;

/** How a file is waited for. */
export interface RestOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** How long it lasts at most, in milliseconds. Defaults to ten seconds. */
  readonly longestMs?: number;
}

/**
 * Waits until a file has not grown for a second, looked at ten times a second: what a daemon logs may come after its answer. A file
 * that comes, goes or is replaced by another has grown as well. Rejects only when it is aborted.
 */
export async function untilAtRest(path: string, { longestMs = 10_000, ...options }: RestOptions = {}): Promise<void> {
  let last = await stateOf(path);
  let stillMs = 0;
  for (let waitedMs = 0; stillMs < restMs && waitedMs < longestMs; waitedMs += stepMs) {
    await sleep(stepMs, undefined, options);
    const state = await stateOf(path);
    stillMs = state === last ? stillMs + stepMs : 0;
    last = state;
  }
}

async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size } = await stat(path, { bigint: true });
    return `${ino} ${size}`;
  } catch {
    return "not there";
  }
}
