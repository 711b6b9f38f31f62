import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createDiskReservation, DiskFullError } from "./disk-space.js";

/** Files up to this size stay in memory. */
const maxBytesInMemory = 64 * 1024;
/** How much disk space is reserved at a time if the length of the body is unknown. */
const reservedStep = 1024 * 1024;

const paths = new WeakMap<File, string>();

/**
 * The path of the temporary file behind an uploaded file, so that a handler can move it instead of reading it. Undefined for a small
 * file, which is in memory. Files that the handler leaves behind are removed after it returns.
 */
export function spooledPath(file: File): string | undefined {
  return paths.get(file);
}

/** A file whose content is arriving. */
export interface SpooledFile {
  readonly push: (piece: Buffer) => void;
  readonly end: () => void;
  readonly isEnded: () => boolean;
  /** Writes received data to disk unless the file is small. Returns the number of bytes written. */
  readonly flush: () => Promise<number>;
  /** The finished file. A large one stays on disk until it is read. */
  readonly toFile: (name: string, type: string) => Promise<File>;
}

/** The temporary files of one request. */
export interface Spool {
  readonly add: () => SpooledFile;
  /** Releases unused disk reservations. */
  readonly settle: () => void;
  /** Removes the files. */
  readonly dispose: () => Promise<void>;
}

/** Creates the spool of one request in a folder. `bodyBytes` is the length of the body, if known. */
export function createSpool(folder: string, bodyBytes: number | undefined): Spool {
  const reservation = createDiskReservation(folder);
  const used: string[] = [];
  const handles = new Set<FileHandle>();
  let reserved = 0;
  let written = 0;

  async function reserve(bytes: number): Promise<void> {
    const missing = written + bytes - reserved;
    if (missing <= 0) return;
    const more = Math.max(missing, reserved === 0 ? (bodyBytes ?? reservedStep) : reservedStep);
    if (!(await reservation.add(more))) throw new DiskFullError(`${folder} has no space for ${more} more bytes`);
    reserved += more;
  }

  function add(): SpooledFile {
    let pieces: Buffer[] = [];
    let size = 0;
    let isEnded = false;
    let path: string | undefined;
    let handle: FileHandle | undefined;

    async function flush(): Promise<number> {
      const bytes = size > maxBytesInMemory ? Buffer.concat(pieces) : Buffer.alloc(0);
      if (bytes.length > 0) {
        pieces = [];
        await reserve(bytes.length);
        if (handle === undefined) {
          path = join(folder, `accord-upload-${randomBytes(16).toString("hex")}`);
          used.push(path);
          handle = await open(path, "wx", 0o600);
          handles.add(handle);
        }
        await handle.writeFile(bytes);
        written += bytes.length;
        reservation.wrote(bytes.length);
      }
      if (isEnded && handle !== undefined && handles.delete(handle)) await handle.close();
      return bytes.length;
    }

    return {
      push: (piece) => {
        size += piece.length;
        pieces.push(piece);
      },
      end: () => {
        isEnded = true;
      },
      isEnded: () => isEnded,
      flush,
      toFile: async (name, type) => {
        const content = path === undefined ? pieces : [await openAsBlob(path)];
        const file = new File(content as BlobPart[], name, { type });
        if (path !== undefined) paths.set(file, path);
        return file;
      },
    };
  }

  return {
    add,
    settle: reservation.release,
    dispose: async () => {
      reservation.release();
      for (const handle of handles) await handle.close().catch(() => {});
      handles.clear();
      // A failed removal must not change the response.
      for (const path of used.splice(0)) await rm(path, { force: true }).catch(() => {});
    },
  };
}
