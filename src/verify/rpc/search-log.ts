import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { bytesText } from "../../wire/answer-limits.js";
import { countLines, type SecretOwner, scanFile } from "./scan-file.js";

/** A line of a log that shows secrets. */
export interface LogFinding {
  /** The number of the line in the current log file, from 1. Undefined for a line in a file that was moved away. */
  readonly line?: number;
  /** The names of the cases that the secrets belong to. */
  readonly cases: readonly string[];
}

/** A part of the log that could not be searched. */
export interface LogGap {
  /** A sentence that names the file. */
  readonly reason: string;
  /** What to do about it. */
  readonly help: string;
}

/** The result of searching a log. */
export interface LogSearch {
  /** The first hundred of each file. */
  readonly findings: readonly LogFinding[];
  readonly searchedBytes: number;
  readonly gaps: readonly LogGap[];
}

/** A log that a server is writing. */
export interface WatchedLog {
  readonly path: string;
  /** Searches the text written since the watch began for the secrets of these cases. Never rejects. */
  readonly search: (owners: readonly SecretOwner[]) => Promise<LogSearch>;
  /** Closes the file. */
  readonly close: () => Promise<void>;
}

/** Limits of the search. */
export interface WatchLogOptions {
  /** How many bytes of each file are searched. Defaults to 256 MiB. */
  readonly maxBytes?: number;
}

/**
 * Remembers the end of a log, so that later text can be searched. A log that does not exist yet is watched from its beginning. Only cases
 * with `secrets` restrict what a server may log, so no other cases should run during the watch.
 *
 * The file stays open: if it is moved away or deleted, the search covers the rest of it and the new file in its place. A file that has
 * become shorter is searched from its beginning. Rejects if the log exists and is unreadable.
 */
export async function watchLog(path: string, { maxBytes = 2 ** 28 }: WatchLogOptions = {}): Promise<WatchedLog> {
  const file = await openIfThere(path);
  const start = file === undefined ? 0 : (await file.stat()).size;

  async function searchAll(owners: readonly SecretOwner[], current: FileHandle | undefined): Promise<LogSearch> {
    const findings: LogFinding[] = [];
    const gaps: LogGap[] = current === undefined ? [missing(path)] : [];
    let searchedBytes = 0;
    const scan = async (scanned: FileHandle, from: number) => {
      const { found, bytes, hasMore } = await scanFile(scanned, from, maxBytes, owners);
      searchedBytes += bytes;
      if (hasMore) gaps.push(tooLong(path, maxBytes));
      return found;
    };
    const isSame = file !== undefined && current !== undefined && (await areSame(file, current));
    if (file !== undefined) {
      const isTruncated = (await file.stat()).size < start;
      if (isTruncated) gaps.push(truncated(path));
      const from = isTruncated ? 0 : start;
      const found = await scan(file, from);
      const before = isSame && found.length > 0 ? await countLines(file, from) : 0;
      findings.push(...found.map(({ line, cases }) => (isSame ? { line: before + line, cases } : { cases })));
    }
    if (current !== undefined && !isSame) findings.push(...(await scan(current, 0)));
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
    help: "Let the server log to this file, or name its log with --log-file",
  };
}

function truncated(path: string): LogGap {
  return {
    reason: `The log ${path} was truncated, so the text before is lost`,
    help: "Do not truncate the log while the verification runs; moving it away is fine",
  };
}

function tooLong(path: string, bytes: number): LogGap {
  return {
    reason: `The server wrote more to ${path} than the ${bytesText(bytes)} that were searched`,
    help: "Make the server log less: its usual level is enough",
  };
}

function unreadable(path: string, error: unknown): LogGap {
  return {
    reason: `The log ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    help: "Name a regular file that the verifying user may read",
  };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) throw new TypeError("it is not a regular file");
    return await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function areSame(one: FileHandle, other: FileHandle): Promise<boolean> {
  const [a, b] = await Promise.all([one.stat({ bigint: true }), other.stat({ bigint: true })]);
  return a.ino === b.ino && a.dev === b.dev;
}

const pollMs = 100;
const minQuietMs = 1_000;

/** Limits of the wait. */
export interface WaitOptions {
  /** Aborts the wait. */
  readonly signal?: AbortSignal;
  /** The maximum wait in milliseconds. Defaults to ten seconds. */
  readonly maxMs?: number;
}

/**
 * Waits until a file has not changed for a second, because a server may log after its response. A file that appears, disappears or is
 * replaced has changed. Rejects only when aborted.
 */
export async function waitUntilQuiet(path: string, { maxMs = 10_000, ...options }: WaitOptions = {}): Promise<void> {
  let last = await stateOf(path);
  let quietMs = 0;
  for (let waitedMs = 0; quietMs < minQuietMs && waitedMs < maxMs; waitedMs += pollMs) {
    await sleep(pollMs, undefined, options);
    const state = await stateOf(path);
    quietMs = state === last ? quietMs + pollMs : 0;
    last = state;
  }
}

async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size } = await stat(path, { bigint: true });
    return `${ino} ${size}`;
  } catch {
    return "missing";
  }
}
