import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { FileStore } from "@tus/file-store";
import { ERRORS, Upload } from "@tus/server";
import { isOutOfSpace } from "../../storage/errors.js";
import { outOfSpace } from "../refusals.js";
import type { Services } from "../services.js";
import {
  createPartRecords,
  finishPart,
  type PartRecord,
  type PartRecords,
  type PartStorage,
  responseOfPart,
  type UploadResponse,
} from "./parts.js";
import { hasRoom, ifMissing, type UploadFolder } from "./upload-folder.js";

/**
 * Stores the bytes of resumable uploads in files. The tus server calls `write` and `getUpload` while it holds the lock of the
 * upload, so `write` also turns a complete upload into an attachment.
 */
export class PartStore extends FileStore implements PartStorage {
  override extensions = ["creation", "creation-with-upload", "termination"];
  readonly #services: Services;
  readonly #folder: UploadFolder;
  readonly #records: PartRecords;

  constructor(services: Services, folder: UploadFolder) {
    const { partsFolder } = folder;
    const records = createPartRecords(partsFolder);
    super({
      directory: partsFolder,
      configstore: {
        get: async (id) => {
          const record = await records.get(id);
          return record && toUpload(id, record, 0);
        },
        set: (id, { size = 0, metadata, creation_date }) =>
          records.set(id, {
            size,
            ...(metadata === undefined ? {} : { metadata }),
            ...(creation_date === undefined ? {} : { creation_date }),
          }),
        delete: (id) => records.delete(id),
      },
    });
    this.#services = services;
    this.#folder = folder;
    this.#records = records;
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#checkRoom(upload.size ?? 0);
    try {
      return await super.create(upload);
    } catch (error) {
      await rm(this.#place(upload.id), { force: true });
      throw toRefusal(error);
    }
  }

  /**
   * Counts the last byte only once the upload is an attachment: if that fails in the request with the last byte, the client
   * sends the byte again and then gets the URL.
   */
  override async getUpload(id: string): Promise<Upload> {
    const record = await this.#record(id);
    const received = await this.#received(id);
    if (received !== undefined) return toUpload(id, record, Math.max(0, Math.min(received, record.size - 1)));
    if ((await responseOfPart(this.#services, id)) === undefined) throw ERRORS.FILE_NO_LONGER_EXISTS;
    return toUpload(id, record, record.size);
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const record = await this.#record(id);
    if ((await this.#received(id)) === undefined) {
      // The upload is already complete; discard the bytes.
      for await (const _ of bytes);
      return offset;
    }
    await this.#checkRoom(record.size - offset);
    const file = createWriteStream(this.#place(id), { flags: "r+", start: offset });
    try {
      await pipeline(bytes, file);
    } catch (error) {
      throw toRefusal(error);
    }
    const end = offset + file.bytesWritten;
    if (end === record.size) await this.#finish(id, record);
    return end;
  }

  /**
   * Returns the response to a complete upload. Finishes an empty upload, which has no bytes to write. Throws if the upload is
   * not complete.
   */
  async responseOf(id: string): Promise<UploadResponse> {
    const record = await this.#record(id);
    if (record.size === 0 && (await this.#received(id)) !== undefined) await this.#finish(id, record);
    const answer = await responseOfPart(this.#services, id);
    if (answer === undefined) throw new Error("the upload is not complete");
    return answer;
  }

  async #finish(id: string, record: PartRecord): Promise<void> {
    try {
      await finishPart(this.#services, this.#folder, id, record);
    } catch (error) {
      throw toRefusal(error);
    }
  }

  #place(id: string): string {
    return join(this.#folder.partsFolder, id);
  }

  async #record(id: string): Promise<PartRecord> {
    const record = await this.#records.get(id);
    if (record === undefined) throw ERRORS.FILE_NOT_FOUND;
    return record;
  }

  /** The number of received bytes; undefined once the file has moved to the attachment. */
  async #received(id: string): Promise<number | undefined> {
    return (await stat(this.#place(id)).catch(ifMissing))?.size;
  }

  /** Throws a refusal if the disk has no space for more bytes. */
  async #checkRoom(bytes: number): Promise<void> {
    if (!(await hasRoom(this.#folder.partsFolder, bytes))) throw outOfSpace();
  }
}

function toRefusal(error: unknown): unknown {
  return isOutOfSpace(error) ? outOfSpace() : error;
}

function toUpload(id: string, { size, metadata, creation_date }: PartRecord, offset: number): Upload {
  return new Upload({
    id,
    size,
    offset,
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    ...(creation_date === undefined ? {} : { creation_date }),
  });
}
