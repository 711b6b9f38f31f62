import { randomBytes } from "node:crypto";
import { spooledPath } from "../../../src/chat/server/index.js";
import { secondsNow } from "../clock.js";
import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import { fileName, sanitizeName, storedMediaType, uploadsPrefix } from "./file-metadata.js";

/** Stores a file of the caller, who alone can open it until a message links it (Upload a file). */
export function createUploadFile(services: Services): Operation<"uploadFile"> {
  return async ({ parameters, caller: { user, realm } }) => {
    const file = parameters.file as File;
    if (file.size > mostUploadBytes(realm)) return badRequest(tooLargeMessage(realm));
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
 * Deletes an attachment of the caller. One of somebody else is answered like one that does not exist. Messages that link it keep
 * the link, which leads nowhere (Delete an attachment).
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
    // The attachment is gone; a file that cannot be removed only takes up space.
    await uploads.remove(storedAs).catch(() => {});
    return undefined;
  };
}

/** A file that is in the folder of uploads, complete. */
export interface StoredFile {
  readonly storedAs: string;
  /** As `fileName` answers it. */
  readonly name: string;
  /** As `storedMediaType` answers it. */
  readonly mediaType: string;
  readonly size: number;
}

/** An upload that is an attachment now. */
export interface RecordedUpload {
  readonly attachmentId: number;
  readonly pathId: string;
  /** The path of the upload. */
  readonly url: string;
  readonly filename: string;
}

/** Who uploads, and where. */
export interface Uploader {
  readonly realm: Realm;
  readonly ownerId: number;
}

/** Makes a stored file an attachment of its uploader. When that fails, the file is removed again, and the promise rejects. */
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

/** Makes a stored file an attachment, as part of the transaction that is under way. When that fails, the file stays. */
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

/** Most bytes of one upload in an organization (max_file_upload_size_mib). */
export function mostUploadBytes(realm: Pick<Realm, "max_file_upload_size_mib">): number {
  return realm.max_file_upload_size_mib * 1024 * 1024;
}

/** What somebody is told whose upload is larger. */
export function tooLargeMessage(realm: Pick<Realm, "max_file_upload_size_mib">): string {
  return `Uploaded file is larger than the allowed limit of ${realm.max_file_upload_size_mib} MiB`;
}
