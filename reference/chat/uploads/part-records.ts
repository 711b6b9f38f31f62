import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifMissing, syncFolder } from "./upload-folder.js";

/** What is known of a resumable upload besides its bytes. */
export interface PartRecord {
  readonly size: number;
  readonly metadata?: Readonly<Record<string, string | null>>;
  /** ISO 8601. */
  readonly creation_date?: string;
}

/** The records of resumable uploads, in files beside their bytes, so that they outlast the server. */
export interface PartRecords {
  readonly get: (id: string) => Promise<PartRecord | undefined>;
  readonly set: (id: string, record: PartRecord) => Promise<void>;
  readonly delete: (id: string) => Promise<void>;
}

/** The id of a resumable upload: the id of its creator, and a random part. */
const partIdForm = /^([1-9]\d{0,15})-[0-9a-f]{32}$/;

/** Makes the id of a resumable upload. */
export function createPartId(userId: number): string {
  return `${userId}-${randomBytes(16).toString("hex")}`;
}

/** Who created a resumable upload; undefined for a text that is no id of one. */
export function creatorOf(id: string): number | undefined {
  const digits = partIdForm.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The name of the file that the upload becomes when it is complete. It follows from the id, so that whoever finishes the upload
 * after a crash finds what was done before it.
 */
export function storedNameOf(id: string): string {
  const name = id.split("-")[1];
  if (creatorOf(id) === undefined || name === undefined) throw new Error("not an id of a resumable upload");
  return name;
}

/** Opens the records in a folder. A record is written as a whole, or not at all. */
export function createPartRecords(folder: string): PartRecords {
  function place(id: string): string {
    if (creatorOf(id) === undefined) throw new Error("not an id of a resumable upload");
    return join(folder, `${id}.json`);
  }
  return {
    get: async (id) => {
      const text = await readFile(place(id), "utf8").catch(ifMissing);
      return text === undefined ? undefined : (JSON.parse(text) as PartRecord);
    },
    set: async (id, record) => {
      const file = place(id);
      const draft = `${file}.${randomBytes(4).toString("hex")}`;
      try {
        await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncFolder(folder);
    },
    delete: (id) => rm(place(id), { force: true }),
  };
}
