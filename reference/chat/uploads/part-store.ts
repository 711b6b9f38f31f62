import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { Selectable } from "kysely";
import { outOfSpace } from "../refusals.js";
import { inTransaction, type Services } from "../services.js";
import type { Tables } from "../storage/tables.js";
import { creatorOf, insertPartAttachment, responseOfPart, storedNameOf, type UploadResponse } from "./parts.js";
import { insertChunk, maxChunkBytes, removeUploads } from "./upload-store.js";

type Part = Selectable<Tables["upload_part"]>;

/**
 * Stores the bytes of resumable uploads in the database, so that a client can continue on any server. The last bytes and the
 * attachment are written in one transaction.
 */
export class PartStore extends DataStore {
  override extensions = ["creation", "creation-with-upload", "termination"];
  readonly #services: Services;

  constructor(services: Services) {
    super();
    this.#services = services;
  }

  override async create(upload: Upload): Promise<Upload> {
    const { database, clock, transactions } = this.#services;
    if (!(await transactions.hasRoom(upload.size ?? 0))) throw outOfSpace();
    const { realm_id, id: user_id } = creatorOrThrow(upload.id);
    upload.creation_date = new Date(clock.now()).toISOString();
    await database
      .insertInto("upload_part")
      .values({
        ...{ realm_id, user_id, id: upload.id, stored_as: storedNameOf(upload.id) },
        ...{ size: upload.size ?? 0, received: 0 },
        metadata: JSON.stringify(upload.metadata ?? {}),
        creation_date: upload.creation_date,
        touched_at_ms: clock.now(),
      })
      .execute();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const part = await this.#part(this.#services, id);
    const { size, received: offset, creation_date } = part;
    if (offset === size && size > 0 && (await responseOfPart(this.#services, id)) === undefined)
      throw ERRORS.FILE_NO_LONGER_EXISTS;
    return new Upload({ id, size, offset, metadata: JSON.parse(part.metadata), creation_date });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    let position = offset;
    let pending: Buffer[] = [];
    let bytes = 0;
    const flush = async () => {
      if (bytes > 0) await this.#append(id, position, Buffer.concat(pending));
      position += bytes;
      [pending, bytes] = [[], 0];
    };
    try {
      // Destroying the stream would hide the error of a failed write from the library.
      for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        pending.push(piece);
        bytes += piece.length;
        if (bytes >= maxChunkBytes) await flush();
      }
    } finally {
      // Bytes that arrived before the client disconnected count.
      await flush();
    }
    return position;
  }

  override async remove(id: string): Promise<void> {
    await inTransaction(this.#services, "write", async ({ database }) => {
      const { realm_id } = await this.#part({ database }, id);
      await database.deleteFrom("upload_part").where("realm_id", "=", realm_id).where("id", "=", id).execute();
      await removeUploads(database, realm_id, [storedNameOf(id)]);
    });
  }

  /** Returns the response to a complete upload. Finishes an empty upload, which has no bytes to write. */
  async responseOf(id: string): Promise<UploadResponse> {
    return inTransaction(this.#services, "write", async (services) => {
      const part = await this.#part(services, id);
      if (part.size === 0) await insertPartAttachment(services, id, recordOf(part));
      const answer = await responseOfPart(services, id);
      if (answer === undefined) throw new Error("the upload is not complete");
      return answer;
    });
  }

  async #append(id: string, position: number, bytes: Buffer): Promise<void> {
    await inTransaction(this.#services, "write", async (services) => {
      const { database, clock } = services;
      const part = await this.#part(services, id);
      // Another server has continued the upload.
      if (part.received !== position) throw ERRORS.INVALID_OFFSET;
      const received = position + bytes.length;
      await database
        .updateTable("upload_part")
        .set({ received, touched_at_ms: clock.now() })
        .where("realm_id", "=", part.realm_id)
        .where("id", "=", id)
        .execute();
      await insertChunk(services, storedNameOf(id), position, bytes);
      if (received === part.size) await insertPartAttachment(services, id, recordOf(part));
    });
  }

  async #part({ database }: Pick<Services, "database">, id: string): Promise<Part> {
    const { realm_id } = creatorOrThrow(id);
    const part = await database
      .selectFrom("upload_part")
      .selectAll()
      .where("realm_id", "=", realm_id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (part === undefined) throw ERRORS.FILE_NOT_FOUND;
    return part;
  }
}

function recordOf({ size, metadata }: Part) {
  return { size, metadata: JSON.parse(metadata) };
}

function creatorOrThrow(id: string) {
  const creator = creatorOf(id);
  if (creator === undefined) throw ERRORS.FILE_NOT_FOUND;
  return creator;
}
