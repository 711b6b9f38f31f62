import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inTransaction, type Services } from "../services.js";
import type { User } from "../storage/tables.js";
import { insertAttachment, type Uploader } from "./attachments.js";
import { fileName, storedMediaType, uploadsPrefix } from "./file-metadata.js";
import { ifMissing, syncFile, syncFolder, type UploadFolder } from "./upload-folder.js";
import { createStoredName, realmOfStored } from "./upload-store.js";

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

/** Format of the id of a resumable upload: the ids of the organization and the creator, and a random part. */
const partIdForm = /^([1-9]\d{0,15})-([1-9]\d{0,15})-([0-9a-f]{32})$/;

type Creator = Pick<User, "realm_id" | "id">;

/** Creates the id of a resumable upload. */
export function createPartId({ realm_id, id }: Creator): string {
  return `${realm_id}-${id}-${randomBytes(16).toString("hex")}`;
}

/** The creator of a resumable upload; undefined if the id is invalid. */
export function creatorOf(partId: string): Creator | undefined {
  const [, realm, id] = partIdForm.exec(partId) ?? [];
  return id === undefined ? undefined : { realm_id: Number(realm), id: Number(id) };
}

/**
 * The name of the complete upload. It derives from the id, so that finishing the upload after a crash finds the work done
 * before.
 */
export function storedNameOf(id: string): string {
  const [, realm, , random] = partIdForm.exec(id) ?? [];
  if (random === undefined) throw new Error("not an id of a resumable upload");
  return createStoredName(Number(realm), random);
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

/** The functions that the tus server needs in addition to those of a data store. */
export interface PartStorage {
  /** Returns the response to a complete upload. Throws if the upload is not complete. */
  readonly responseOf: (id: string) => Promise<UploadResponse>;
}

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
export async function finishPart(
  services: Services,
  uploads: UploadFolder,
  id: string,
  record: PartRecord,
): Promise<void> {
  const file = join(uploads.partsFolder, id);
  const storedAs = storedNameOf(id);
  // The bytes must be on the disk before the attachment exists, even if the machine fails.
  await syncFile(file);
  await syncFolder(uploads.partsFolder);
  await inTransaction(services, "write", (within) => insertPartAttachment(within, id, record));
  await uploads.adopt(realmOfStored(storedAs), file, storedAs);
}

/** Turns a resumable upload into an attachment of its creator within the current transaction, unless it is one already. */
export async function insertPartAttachment(
  services: Services,
  id: string,
  { size, metadata }: PartRecord,
): Promise<void> {
  if ((await responseOfPart(services, id)) !== undefined) return;
  const mediaType = storedMediaType(metadata?.filetype ?? metadata?.type ?? "");
  const uploader = await creator(services, id);
  const name = nameInMetadata(metadata);
  await insertAttachment(services, uploader, { storedAs: storedNameOf(id), name, mediaType, size });
}

/** The response to a resumable upload that has become an attachment; undefined for any other. */
export async function responseOfPart(
  { database }: Pick<Services, "database">,
  id: string,
): Promise<UploadResponse | undefined> {
  const storedAs = storedNameOf(id);
  const attachment = await database
    .selectFrom("attachment")
    .select(["path_id", "name"])
    .where("realm_id", "=", realmOfStored(storedAs))
    .where("stored_as", "=", storedAs)
    .executeTakeFirst();
  return attachment && { url: `${uploadsPrefix}${attachment.path_id}`, filename: attachment.name };
}

/** Reads the file name in the metadata of an upload. Throws a refusal if it is invalid. */
export function nameInMetadata(metadata: PartRecord["metadata"]): string {
  return fileName(metadata?.filename ?? metadata?.name ?? "");
}

async function creator({ database }: Pick<Services, "database">, id: string): Promise<Uploader> {
  const owner = creatorOf(id);
  const realm =
    owner && (await database.selectFrom("realm").selectAll().where("id", "=", owner.realm_id).executeTakeFirst());
  if (owner === undefined || realm === undefined) throw new Error("the upload has no creator");
  return { realm, ownerId: owner.id };
}
