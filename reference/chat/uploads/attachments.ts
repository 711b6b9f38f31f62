import { randomBytes } from "node:crypto";
import { spooledPath } from "../../../src/chat/server/index.js";
import { secondsNow } from "../clock.js";
import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";
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
        ? await services.uploads.store(new Uint8Array(await file.arrayBuffer()))
        : await services.uploads.adopt(path);
    const stored = { storedAs, name, mediaType: storedMediaType(file.type), size: file.size };
    const { url, filename } = await recordUpload(services, { realm, ownerId: user.id }, stored);
    return { url, uri: url, filename };
  };
}

/**
 * Deletes an attachment of the caller; treats one of another user like one that does not exist. Messages that link it keep the
 * dead link (Delete an attachment).
 */
export function createDeleteAttachment({ database, uploads }: Services): Operation<"deleteAttachment"> {
  const { sql } = database;

  function take(id: number, ownerId: number): string | undefined {
    return database.transaction(() => {
      const attachment = database.first(
        sql.selectFrom("attachment").select("stored_as").where("id", "=", id).where("owner_id", "=", ownerId),
      );
      if (attachment === undefined) return undefined;
      database.run(sql.deleteFrom("attachment_message").where("attachment_id", "=", id));
      database.run(sql.deleteFrom("attachment").where("id", "=", id));
      return attachment.stored_as;
    });
  }

  return async ({ parameters, caller }) => {
    const storedAs = take(parameters.attachment_id, caller.user.id);
    if (storedAs === undefined) return badRequest("Invalid attachment");
    await database.settled();
    // The attachment is deleted; a file that cannot be removed only takes up space.
    await uploads.remove(storedAs).catch(() => {});
    return undefined;
  };
}

/** A complete file in the upload folder. */
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

/** Turns a stored file into an attachment of its uploader. On failure, removes the file and rejects. */
export async function recordUpload(
  services: Pick<Services, "database" | "clock" | "uploads">,
  uploader: Uploader,
  file: StoredFile,
): Promise<RecordedUpload> {
  const { database, uploads } = services;
  try {
    const recorded = insertAttachment(services, uploader, file);
    await database.settled();
    return recorded;
  } catch (error) {
    await uploads.remove(file.storedAs);
    throw error;
  }
}

/** Turns a stored file into an attachment within the current transaction. On failure, the file stays. */
export function insertAttachment(
  { database, clock }: Pick<Services, "database" | "clock">,
  { realm, ownerId }: Uploader,
  { storedAs, name, mediaType, size }: StoredFile,
): RecordedUpload {
  const pathId = `${realm.key}/${randomBytes(18).toString("base64url")}/${sanitizeName(name)}`;
  const { insertedId } = database.transaction(() =>
    database.run(
      database.sql.insertInto("attachment").values({
        realm_id: realm.id,
        owner_id: ownerId,
        path_id: pathId,
        stored_as: storedAs,
        name,
        media_type: mediaType,
        size,
        created_at_ms: secondsNow(clock, realm) * 1000,
      }),
    ),
  );
  return { attachmentId: insertedId, pathId, url: `${uploadsPrefix}${pathId}`, filename: name };
}

/** Maximum bytes of one upload in an organization (max_file_upload_size_mib). */
export function maxUploadBytes(realm: Pick<Realm, "max_file_upload_size_mib">): number {
  return realm.max_file_upload_size_mib * 1024 * 1024;
}

/** The error message for a larger upload. */
export function tooLargeMessage(realm: Pick<Realm, "max_file_upload_size_mib">): string {
  return `Uploaded file is larger than the allowed limit of ${realm.max_file_upload_size_mib} MiB`;
}
