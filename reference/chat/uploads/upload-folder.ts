import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStoredName, isStoredName, type UploadStore } from "./upload-store.js";

/** Uploaded files on disk. */
export interface UploadFolder extends UploadStore {
  readonly kind: "folder";
  readonly within: () => UploadFolder;
  /** Folder of incomplete resumable uploads. */
  readonly partsFolder: string;
  /** Folder of complete uploads, under the names that `store` and `adopt` return. */
  readonly filesFolder: string;
  /** Folder of files being received; emptied at the next start. */
  readonly spoolFolder: string;
  /** Moves a complete file into the folder, by default under a new name. If it rejects, the file may have moved or not. */
  readonly adopt: (realmId: number, file: string, storedAs?: string) => Promise<string>;
  /** Removes the folder if it is temporary. */
  readonly close: () => void;
}

/** Opens the upload folder in a data folder; without one, a temporary folder until `close`. */
export async function openUploadFolder(dataFolder?: string): Promise<UploadFolder> {
  const root = dataFolder === undefined ? mkdtempSync(join(tmpdir(), "accord-uploads-")) : join(dataFolder, "uploads");
  const filesFolder = join(root, "files");
  const partsFolder = join(root, "parts");
  const spoolFolder = join(root, "spool");
  for (const folder of [filesFolder, partsFolder, spoolFolder]) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(spoolFolder)) await rm(join(spoolFolder, name), { recursive: true, force: true });

  function place(storedAs: string): string {
    if (!isStoredName(storedAs)) throw new Error("not a name of a stored upload");
    return join(filesFolder, storedAs);
  }

  async function adopt(realmId: number, file: string, storedAs = createStoredName(realmId)): Promise<string> {
    await syncFile(file);
    await rename(file, place(storedAs));
    // A renamed file survives a crash only if its folder is synced, too.
    await syncFolder(filesFolder);
    return storedAs;
  }

  const uploads: UploadFolder = {
    kind: "folder",
    within: () => uploads,
    partsFolder,
    filesFolder,
    spoolFolder,
    store: async (realmId, bytes) => {
      const file = join(spoolFolder, randomBytes(16).toString("hex"));
      try {
        await writeFile(file, bytes, { flag: "wx", mode: 0o600 });
        return await adopt(realmId, file);
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },
    adopt,
    read: async (storedAs) => {
      const handle = await open(place(storedAs)).catch(ifMissing);
      return handle?.createReadStream();
    },
    remove: (storedAs) => rm(place(storedAs), { force: true }),
    close: () => {
      if (dataFolder === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
  return uploads;
}

/** Uploads leave this much space for other writes of the server, such as the log of its database. */
const minFreeBytes = 4 * 1024 * 1024;

/** Whether the disk of a folder has space for an upload. */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize, blocks } = await statfs(folder);
  // Some file systems report no sizes at all.
  return blocks === 0 || bavail * bsize - minFreeBytes >= bytes;
}

/** Syncs the bytes of a file to the disk. */
export function syncFile(file: string): Promise<void> {
  return sync(file, "r+");
}

/** Syncs the entries of a folder to the disk. */
export function syncFolder(folder: string): Promise<void> {
  return sync(folder, "r");
}

async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns undefined for a "file not found" error; rethrows any other. */
export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
