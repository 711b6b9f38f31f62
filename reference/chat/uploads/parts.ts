import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Services } from "../services.js";
import { insertAttachment } from "./attachments.js";
import { fileName, storedMediaType, uploadsPrefix } from "./file-metadata.js";
import { ifMissing, syncFile, syncFolder } from "./upload-folder.js";

/** Path of the collection of resumable uploads. */
export const tusPath = "/api/v1/tus";

/** The record of a resumable upload, besides its bytes. */
export interface PartRecord {
  readonly size: number;
  readonly metadata?: Readonly<Record<string, string | null>>;
  /** ISO 8601. */
  readonly creation_date?: string;
}

/** The records of resumable uploads, in files beside their bytes, so that they survive a restart. */
export interface PartRecords {
  readonly get: (id: string) => Promise<PartRecord | undefined>;
  readonly set: (id: string, record: PartRecord) => Promise<void>;
  readonly delete: (id: string) => Promise<void>;
}

/** Format of the id of a resumable upload: the id of its creator and a random part. */
const partIdForm = /^([1-9]\d{0,15})-[0-9a-f]{32}$/;

/** Creates the id of a resumable upload. */
export function createPartId(userId: number): string {
  return `${userId}-${randomBytes(16).toString("hex")}`;
}

/** The creator of a resumable upload; undefined if the id is invalid. */
export function creatorOf(id: string): number | undefined {
  const digits = partIdForm.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The file name of the complete upload. It derives from the id, so that finishing the upload after a crash finds the work done
 * before.
 */
function storedNameOf(id: string): string {
  const name = id.split("-")[1];
  if (creatorOf(id) === undefined || name === undefined) throw new Error("not an id of a resumable upload");
  return name;
}

/** Opens the records in a folder. Records are written atomically. */
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

type Needed = Pick<Services, "database" | "clock" | "uploads">;

/** The response to a complete upload. */
export interface UploadResponse {
  readonly url: string;
  readonly filename: string;
}

/**
 * Turns a completely received resumable upload into an attachment of its creator. Skips steps that are already done, so that it
 * can be called again after a crash or a full disk at any point: the bytes stay where they were received until the last step,
 * and the attachment is found by the file name derived from the id.
 */
export async function finishPart(services: Needed, id: string, { size, metadata }: PartRecord): Promise<void> {
  const { database, uploads } = services;
  const file = join(uploads.partsFolder, id);
  const storedAs = storedNameOf(id);
  // The bytes must be on the disk before the attachment exists, even if the machine fails.
  await syncFile(file);
  await syncFolder(uploads.partsFolder);
  if (responseOfPart(services, id) === undefined) {
    const mediaType = storedMediaType(metadata?.filetype ?? metadata?.type ?? "");
    insertAttachment(services, creator(services, id), { storedAs, name: nameInMetadata(metadata), mediaType, size });
    await database.settled();
  }
  await uploads.adopt(file, storedAs);
}

/** The response to a resumable upload that has become an attachment; undefined for any other. */
export function responseOfPart({ database }: Pick<Services, "database">, id: string): UploadResponse | undefined {
  const attachment = database.first(
    database.sql.selectFrom("attachment").select(["path_id", "name"]).where("stored_as", "=", storedNameOf(id)),
  );
  return attachment && { url: `${uploadsPrefix}${attachment.path_id}`, filename: attachment.name };
}

/** Reads the file name in the metadata of an upload. Throws a refusal if it is invalid. */
export function nameInMetadata(metadata: PartRecord["metadata"]): string {
  return fileName(metadata?.filename ?? metadata?.name ?? "");
}

function creator({ database }: Needed, id: string) {
  const { sql } = database;
  const owner = database.first(
    sql
      .selectFrom("user")
      .select(["id", "realm_id"])
      .where("id", "=", creatorOf(id) ?? 0),
  );
  const realm = owner && database.first(sql.selectFrom("realm").selectAll().where("id", "=", owner.realm_id));
  if (owner === undefined || realm === undefined) throw new Error("the upload has no creator");
  return { realm, ownerId: owner.id };
}
