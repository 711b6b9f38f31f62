import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";

/** Maximum bytes in one row. */
export const maxChunkBytes = 256 * 1024;

/** Creates the name of the bytes of an upload: the id of its organization, and a random part. */
export function createStoredName(realmId: number, random = randomBytes(16).toString("hex")): string {
  return `${realmId}-${random}`;
}

/** The organization of an upload. */
export function realmOfStored(name: string): number {
  return Number.parseInt(name, 10);
}

/** Stores the bytes of an upload of an organization, so that every server of the database can read them. Returns their name. */
export async function storeUpload(
  services: Pick<Services, "database" | "clock">,
  realmId: number,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string> {
  const storedAs = createStoredName(realmId);
  let position = 0;
  for await (const piece of bytes) {
    for (let start = 0; start < piece.length; start += maxChunkBytes) {
      const chunk = piece.subarray(start, start + maxChunkBytes);
      await insertChunk(services, storedAs, position, chunk);
      position += chunk.length;
    }
  }
  return storedAs;
}

/** Stores bytes of an upload. */
export async function insertChunk(
  { database, clock }: Pick<Services, "database" | "clock">,
  storedAs: string,
  position: number,
  bytes: Uint8Array,
): Promise<void> {
  const row = { realm_id: realmOfStored(storedAs), stored_as: storedAs, position, bytes, created_at_ms: clock.now() };
  await database.insertInto("upload_chunk").values(row).execute();
}

/** The bytes of an upload. */
export function readUpload(database: Database, storedAs: string): Readable {
  return Readable.from(chunksOf(database, storedAs), { objectMode: false });
}

async function* chunksOf(database: Database, storedAs: string): AsyncGenerator<Uint8Array> {
  let position = -1;
  for (;;) {
    const chunk = await database
      .selectFrom("upload_chunk")
      .select(["position", "bytes"])
      .where("realm_id", "=", realmOfStored(storedAs))
      .where("stored_as", "=", storedAs)
      .where("position", ">", position)
      .orderBy("position")
      .limit(1)
      .executeTakeFirst();
    if (chunk === undefined) return;
    yield chunk.bytes;
    position = chunk.position;
  }
}

/** Removes the bytes of uploads of an organization, if they exist. */
export async function removeUploads(database: Database, realmId: number, storedAs: readonly string[]): Promise<void> {
  if (storedAs.length === 0) return;
  await database
    .deleteFrom("upload_chunk")
    .where("realm_id", "=", realmId)
    .where("stored_as", "in", storedAs)
    .execute();
}
