import { join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import { ERRORS, Upload } from "@tus/server";
import type { PartRecord, PartRecords, UploadAnswer } from "./part-records.js";

/** What a part store works with. */
export interface PartStoreOptions {
  readonly folder: string;
  readonly records: PartRecords;
  /** Takes over the file of a complete upload. */
  readonly finish: (id: string, file: string, record: PartRecord) => Promise<UploadAnswer>;
}

/**
 * Keeps the bytes of resumable uploads in files. The tus server calls `write` and `getUpload` while it holds the lock of the upload,
 * so they are also where a complete upload is finished, once: whichever comes first after the last byte, also after a restart.
 */
export class PartStore extends FileStore {
  override extensions = ["creation", "creation-with-upload", "termination"];
  readonly #options: PartStoreOptions;

  constructor(options: PartStoreOptions) {
    const { folder, records } = options;
    super({
      directory: folder,
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
    this.#options = options;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { folder, records, finish } = this.#options;
    const record = await records.get(id);
    if (record === undefined) throw ERRORS.FILE_NOT_FOUND;
    if (record.done) return toUpload(id, record, record.size);
    const upload = await super.getUpload(id);
    if (upload.offset === record.size) {
      await records.set(id, { ...record, done: await finish(id, join(folder, id), record) });
    }
    return upload;
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const record = await this.#options.records.get(id);
    if (record?.done) {
      // The upload is complete, so that the server lets no byte pass.
      for await (const _ of bytes);
      return offset;
    }
    const end = await super.write(bytes, id, offset);
    await this.getUpload(id);
    return end;
  }

  /** The answer for a complete upload. Throws when it is not complete. */
  async answerOf(id: string): Promise<UploadAnswer> {
    await this.getUpload(id);
    const record = await this.#options.records.get(id);
    if (record?.done === undefined) throw new Error("the upload is not complete");
    return record.done;
  }
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
