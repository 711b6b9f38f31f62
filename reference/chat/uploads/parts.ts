import { randomBytes } from "node:crypto";
import type { Services } from "../services.js";
import type { User } from "../storage/tables.js";
import { insertAttachment, type Uploader } from "./attachments.js";
import { fileName, storedMediaType, uploadsPrefix } from "./file-metadata.js";
import { createStoredName, realmOfStored } from "./upload-store.js";

/** Path of the collection of resumable uploads. */
export const tusPath = "/api/v1/tus";

/** What a client says about a resumable upload. */
export interface PartRecord {
  readonly size: number;
  readonly metadata?: Readonly<Record<string, string | null>>;
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

/** The name of the bytes of a resumable upload, which derives from its id. */
export function storedNameOf(id: string): string {
  const [, realm, , random] = partIdForm.exec(id) ?? [];
  if (random === undefined) throw new Error("not an id of a resumable upload");
  return createStoredName(Number(realm), random);
}

/** The response to a complete upload. */
export interface UploadResponse {
  readonly url: string;
  readonly filename: string;
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
