import { type FileHandle, open, stat } from "node:fs/promises";
import { countLines, type FileScan, type SecretOwner, scanFile } from "./scan-file.js";

/** A line of a log that shows secrets. */
export interface LogFinding {
  /** Counted from 1 in the file that the log is now. Left out when the line is in a file that was moved away. */
  readonly line?: number;
  /** The cases whose secrets they are, by name. */
  readonly cases: readonly string[];
}

/** What a log shows. */
export interface LogSearch {
  /** The first hundred of each file. */
  readonly findings: readonly LogFinding[];
  readonly searchedBytes: number;
  /** What could not be searched, a sentence each. */
  readonly gaps: readonly string[];
}

/** A log that a daemon writes meanwhile. */
export interface WatchedLog {
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
    const gaps = current === undefined ? ["There is no log file"] : [];
    let searchedBytes = 0;
    const take = ({ found, bytes, goesOn }: FileScan, lineOf: (line: number) => Pick<LogFinding, "line">) => {
      findings.push(...found.map(({ line, cases }) => ({ ...lineOf(line), cases })));
      searchedBytes += bytes;
      if (goesOn) gaps.push(`The log is longer than the ${mostBytes} bytes that were searched`);
    };
    const isSame = file !== undefined && current !== undefined && (await areSame(file, current));
    if (file !== undefined) {
      const from = await startOf(file);
      if (from !== start) gaps.push("The log was truncated, so what had been written before is not known");
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
    search: async (owners) => {
      let current: FileHandle | undefined;
      try {
        current = await openIfThere(path);
        return await searchAll(owners, current);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { findings: [], searchedBytes: 0, gaps: [`The log cannot be read: ${why}`] };
      } finally {
        await current?.close();
      }
    },
    close: async () => {
      await file?.close();
    },
  };
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe would wait for somebody to write into it.
    if (!(await stat(path)).isFile()) throw new TypeError(`${path} is no file`);
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
