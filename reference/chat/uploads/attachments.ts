import { randomBytes } from "node:crypto";
import { spooledPath } from "../../../src/chat/server/index.js";
import { secondsNow } from "../clock.js";
import { badRequest } from "../refusals.js";
import { inTransaction, type Operation, type Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import { fileName, sanitizeName, storedMediaType, uploadsPrefix } from "./file-metadata.js";

/** Stores a file, which only the caller can open until a message links it (Upload a file). */
export function createUploadFile(services: Services): Operation<"uploadFile"> {
  return async ({ parameters, caller: { user, realm } }) => {
    const file = parameters.file as File;
    if (file.size > maxUploadBytes(realm)) return badRequest(tooLargeMessage(realm));
    const name = fileName(file.name);
    const path = spooledPath(file);
    const storedAs =
      path === undefined
        ? await services.uploads.store(realm.id, new Uint8Array(await file.arrayBuffer()))
        : await services.uploads.adopt(realm.id, path);
    const stored = { storedAs, name, mediaType: storedMediaType(file.type), size: file.size };
    const { url, filename } = await recordUpload(services, { realm, ownerId: user.id }, stored);
    return { url, uri: url, filename };
  };
}

/**
 * Deletes an attachment of the caller; treats one of another user like one that does not exist. Messages that link it keep the
 * dead link (Delete an attachment).
 */
export function createDeleteAttachment({ database, uploads, afterCommit }: Services): Operation<"deleteAttachment"> {
  return async ({ parameters: { attachment_id: id }, caller: { user } }) => {
    const attachment = await database
      .selectFrom("attachment")
      .select("stored_as")
      .where("realm_id", "=", user.realm_id)
      .where("id", "=", id)
      .where("owner_id", "=", user.id)
      .executeTakeFirst();
    if (attachment === undefined) return badRequest("Invalid attachment");
    const { realm_id } = user;
    await database
      .deleteFrom("attachment_message")
      .where("realm_id", "=", realm_id)
      .where("attachment_id", "=", id)
      .execute();
    await database.deleteFrom("attachment").where("realm_id", "=", realm_id).where("id", "=", id).execute();
    // The attachment is deleted; a file that cannot be removed only takes up space.
    afterCommit(() => uploads.remove(attachment.stored_as).catch(() => {}));
    return undefined;
  };
}

/** A complete file in the upload store. */
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

/** Turns a stored file into an attachment of its uploader, in a transaction. On failure, removes the file and rejects. */
export async function recordUpload(services: Services, uploader: Uploader, file: StoredFile): Promise<RecordedUpload> {
  try {
    return await inTransaction(services, "write", (within) => insertAttachment(within, uploader, file));
  } catch (error) {
    await services.uploads.remove(file.storedAs);
    throw error;
  }
}

/** Turns a stored file into an attachment within the current transaction. On failure, the file stays. */
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
