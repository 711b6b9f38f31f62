import { randomBytes } from "node:crypto";
import { secondsNow } from "../clock.js";
import type { Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import { sanitizeName } from "./sanitize-name.js";
import { uploadsPrefix } from "./uploads-prefix.js";

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
