import { randomBytes } from "node:crypto";
import { createWriteStream, openAsBlob } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const paths = new WeakMap<File, string>();

/**
 * The path of the temporary file behind an uploaded file, so that a handler can move it instead of reading it. Undefined for a file that
 * no server received. Files that the handler leaves behind are removed after it returns.
 */
export function spooledPath(file: File): string | undefined {
  return paths.get(file);
}

/** The temporary files of one request. */
export interface Spool {
  /** Writes a file. Its content stays on disk until it is read. */
  readonly add: (content: Readable, name: string, type: string) => Promise<File>;
  /** Stops writing, and removes the files. */
  readonly dispose: () => Promise<void>;
}

/** Creates the spool of one request in a folder. */
export function createSpool(folder: string): Spool {
  const used: string[] = [];
  const writes: Promise<void>[] = [];
  const stop = new AbortController();
  return {
    add: async (content, name, type) => {
      const path = join(folder, `accord-upload-${randomBytes(16).toString("hex")}`);
      used.push(path);
      const written = pipeline(content, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal: stop.signal });
      writes.push(written);
      await written;
      const file = new File([await openAsBlob(path)], name, { type });
      paths.set(file, path);
      return file;
    },
    dispose: async () => {
      stop.abort();
      await Promise.allSettled(writes);
      // A failed removal must not change the response.
      for (const path of used.splice(0)) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** Whether an error means that a disk or a disk quota is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT";
}
