import { join } from "node:path";
import type { Services } from "../services.js";
import { fileName } from "./file-name.js";
import { storedMediaType } from "./media-types.js";
import { creatorOf, type PartRecord, storedNameOf } from "./part-records.js";
import { insertAttachment } from "./record-upload.js";
import { syncFile, syncFolder } from "./upload-folder.js";
import { uploadsPrefix } from "./uploads-prefix.js";

type Needed = Pick<Services, "database" | "clock" | "uploads">;

/** What a complete upload is answered with. */
export interface UploadAnswer {
  readonly url: string;
  readonly filename: string;
}

/**
 * Makes a resumable upload, all bytes of which are there, an attachment of its creator. A step that is done already is passed over,
 * so that it can be called again after a crash or a full disk at any point: until the last step the bytes are where they were
 * received, and then the attachment is found by the name that follows from the id.
 */
export async function finishPart(services: Needed, id: string, { size, metadata }: PartRecord): Promise<void> {
  const { database, uploads } = services;
  const file = join(uploads.partsFolder, id);
  const storedAs = storedNameOf(id);
  // An attachment has its bytes, also when the machine fails.
  await syncFile(file);
  await syncFolder(uploads.partsFolder);
  if (answerOfPart(services, id) === undefined) {
    const mediaType = storedMediaType(metadata?.filetype ?? metadata?.type ?? "");
    insertAttachment(services, creator(services, id), { storedAs, name: sentName(metadata), mediaType, size });
    await database.settled();
  }
  await uploads.adopt(file, storedAs);
}

/** What a resumable upload was answered with that has become an attachment; undefined for any other. */
export function answerOfPart({ database }: Pick<Services, "database">, id: string): UploadAnswer | undefined {
  const attachment = database.first(
    database.sql.selectFrom("attachment").select(["path_id", "name"]).where("stored_as", "=", storedNameOf(id)),
  );
  return attachment && { url: `${uploadsPrefix}${attachment.path_id}`, filename: attachment.name };
}

/** The name in the metadata of an upload. Throws a refusal. */
export function sentName(metadata: PartRecord["metadata"]): string {
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
  if (owner === undefined || realm === undefined) throw new Error("an upload of nobody");
  return { realm, ownerId: owner.id };
}
