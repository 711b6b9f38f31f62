import { randomBytes } from "node:crypto";
import { secondsNow } from "../clock.js";
import { badRequest, outOfSpace } from "../refusals.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Attachment, Realm } from "../storage/tables.js";
import { fileName, sanitizeName, storedMediaType, uploadsPrefix } from "./file-metadata.js";
import { removeUploads, storeUpload } from "./upload-store.js";

/** Stores a file, which only the caller can open until a message links it (Upload a file). */
export function createUploadFile(services: Services): Operation<"uploadFile"> {
  return async ({ parameters, caller: { user, realm } }) => {
    const file = parameters.file as File;
    if (file.size > maxUploadBytes(realm)) return badRequest(tooLargeMessage(realm));
    if (!(await services.transactions.hasRoom(file.size))) throw outOfSpace();
    const name = fileName(file.name);
    // Streams of Node are iterable; the types of the DOM do not say so.
    const bytes = file.stream() as object as AsyncIterable<Uint8Array>;
    const storedAs = await storeUpload(services, realm.id, bytes);
    const stored = { storedAs, name, mediaType: storedMediaType(file.type), size: file.size };
    const { url, filename } = await insertAttachment(services, { realm, ownerId: user.id }, stored);
    return { url, uri: url, filename };
  };
}

/**
 * Deletes an attachment of the caller; treats one of another user like one that does not exist. Messages that link it keep the
 * dead link (Delete an attachment).
 */
export function createDeleteAttachment({ database }: Services): Operation<"deleteAttachment"> {
  return async ({ parameters: { attachment_id: id }, caller: { user } }) => {
    const { realm_id } = user;
    const attachment = await database
      .selectFrom("attachment")
      .select(["id", "stored_as"])
      .where("realm_id", "=", realm_id)
      .where("id", "=", id)
      .where("owner_id", "=", user.id)
      .executeTakeFirst();
    if (attachment === undefined) return badRequest("Invalid attachment");
    await deleteAttachments(database, realm_id, [attachment]);
    return undefined;
  };
}

/** Deletes attachments of an organization with their links and bytes. */
export async function deleteAttachments(
  database: Database,
  realmId: number,
  attachments: readonly Pick<Attachment, "id" | "stored_as">[],
): Promise<void> {
  if (attachments.length === 0) return;
  const ids = attachments.map(({ id }) => id);
  for (const [table, column] of [
    ["attachment_message", "attachment_id"],
    ["attachment", "id"],
  ] as const) {
    await database.deleteFrom(table).where("realm_id", "=", realmId).where(column, "in", ids).execute();
  }
  const names = attachments.map(({ stored_as }) => stored_as);
  await removeUploads(database, realmId, names);
}

/** A complete file, whose bytes are stored. */
export interface StoredFile {
  readonly storedAs: string;
  /** As returned by `fileName`. */
  readonly name: string;
  /** As returned by `storedMediaType`. */
  readonly mediaType: string;
  readonly size: number;
}

/** An upload that has become an attachment. */
export interface RecordedUpload {
  readonly attachmentId: number;
  readonly pathId: string;
  /** The path of the upload. */
  readonly url: string;
  readonly filename: string;
}

/** The user who uploads, and their organization. */
export interface Uploader {
  readonly realm: Realm;
  readonly ownerId: number;
}

/** Turns a stored file into an attachment of its uploader. */
export async function insertAttachment(
  { database, clock }: Pick<Services, "database" | "clock">,
  { realm, ownerId }: Uploader,
  { storedAs, name, mediaType, size }: StoredFile,
): Promise<RecordedUpload> {
  const pathId = `${realm.key}/${randomBytes(18).toString("base64url")}/${sanitizeName(name)}`;
  const { id } = await database
    .insertInto("attachment")
    .values({
      realm_id: realm.id,
      owner_id: ownerId,
      path_id: pathId,
      stored_as: storedAs,
      name,
      media_type: mediaType,
      size,
      created_at_ms: secondsNow(clock, realm) * 1000,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { attachmentId: id, pathId, url: `${uploadsPrefix}${pathId}`, filename: name };
}

/** Maximum bytes of one upload in an organization (max_file_upload_size_mib). */
export function maxUploadBytes(realm: Pick<Realm, "max_file_upload_size_mib">): number {
  return realm.max_file_upload_size_mib * 1024 * 1024;
}

/** The error message for a larger upload. */
export function tooLargeMessage(realm: Pick<Realm, "max_file_upload_size_mib">): string {
  return `Uploaded file is larger than the allowed limit of ${realm.max_file_upload_size_mib} MiB`;
}
