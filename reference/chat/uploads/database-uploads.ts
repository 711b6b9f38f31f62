import { readFile, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Clock } from "../clock.js";
import type { Database } from "../storage/database.js";
import type { UploadStore } from "./upload-store.js";
import { createStoredName, realmOfStored } from "./upload-store.js";

/** Maximum bytes in one row. */
export const maxChunkBytes = 256 * 1024;

/** Uploads in the database, so that every server can read and continue them. */
export interface DatabaseUploads extends UploadStore {
  readonly kind: "database";
  readonly within: (transaction: Database) => DatabaseUploads;
}

/** Creates the store of uploads in a database. `spoolFolder` is where this server receives large bodies. */
export function createDatabaseUploads(database: Database, clock: Clock, spoolFolder: string): DatabaseUploads {
  async function store(realmId: number, bytes: Uint8Array): Promise<string> {
    const storedAs = createStoredName(realmId);
    for (let position = 0; position < bytes.length; position += maxChunkBytes) {
      const chunk = bytes.subarray(position, position + maxChunkBytes);
      await insertChunk(database, { storedAs, position, bytes: chunk, at: clock.now() });
    }
    return storedAs;
  }

  return {
    kind: "database",
    spoolFolder,
    within: (transaction) => createDatabaseUploads(transaction, clock, spoolFolder),
    store,
    adopt: async (realmId, file) => {
      const storedAs = await store(realmId, await readFile(file));
      await rm(file, { force: true });
      return storedAs;
    },
    read: async (storedAs) => Readable.from(chunksOf(database, storedAs), { objectMode: false }),
    remove: async (storedAs) => {
      await database
        .deleteFrom("upload_chunk")
        .where("realm_id", "=", realmOfStored(storedAs))
        .where("stored_as", "=", storedAs)
        .execute();
    },
    close: async () => {},
  };
}

/** Bytes of an upload. */
interface Chunk {
  readonly storedAs: string;
  readonly position: number;
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Stores bytes of an upload. */
export async function insertChunk(database: Database, { storedAs, position, bytes, at }: Chunk): Promise<void> {
  const row = { realm_id: realmOfStored(storedAs), stored_as: storedAs, position, bytes, created_at_ms: at };
  await database.insertInto("upload_chunk").values(row).execute();
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
