import { randomBytes } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** The bytes of uploads, on disk. Names are random; nothing that a client sends becomes part of a path. */
export interface UploadFolder {
  /** Where resumable uploads are collected. */
  readonly partsFolder: string;
  /** Where complete uploads are, each under the name that `store` or `adopt` resolved to. */
  readonly filesFolder: string;
  /** Stores bytes; when it resolves they are on the disk as a whole. Resolves to the name for the other functions. */
  readonly store: (bytes: Uint8Array) => Promise<string>;
  /** Takes over a complete file of `partsFolder`. */
  readonly adopt: (file: string) => Promise<string>;
  readonly read: (storedAs: string) => Readable;
  /** Removes a file; one that is gone already is no error. */
  readonly remove: (storedAs: string) => Promise<void>;
  /** Removes the folder when it was a temporary one. */
  readonly close: () => void;
}

/** Opens the folder of uploads in a data folder; without one, a temporary folder that lasts until `close`. */
export async function openUploadFolder(dataFolder?: string): Promise<UploadFolder> {
  const root = dataFolder === undefined ? mkdtempSync(join(tmpdir(), "accord-uploads-")) : join(dataFolder, "uploads");
  const filesFolder = join(root, "files");
  const partsFolder = join(root, "parts");
  await mkdir(filesFolder, { recursive: true, mode: 0o700 });
  await mkdir(partsFolder, { recursive: true, mode: 0o700 });

  function place(storedAs: string): string {
    if (!isStoredName(storedAs)) throw new Error("not a name of a stored upload");
    return join(filesFolder, storedAs);
  }

  async function settle(part: string): Promise<string> {
    await sync(part, "r+");
    const storedAs = randomBytes(16).toString("hex");
    await rename(part, place(storedAs));
    // A renamed file survives a crash only when its folder is on the disk, too.
    await sync(filesFolder, "r");
    return storedAs;
  }

  return {
    partsFolder,
    filesFolder,
    store: async (bytes) => {
      const part = join(partsFolder, randomBytes(16).toString("hex"));
      const handle = await open(part, "wx", 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      return settle(part);
    },
    adopt: settle,
    read: (storedAs) => createReadStream(place(storedAs)),
    remove: (storedAs) => rm(place(storedAs), { force: true }),
    close: () => {
      if (dataFolder === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Whether a file of `filesFolder` is a complete upload. */
export function isStoredName(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}

/** Puts a file or folder on the disk. */
async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
