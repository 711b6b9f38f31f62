import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { Services } from "../../services.js";
import { inTransaction } from "../../services.js";
import {
  creatorOf,
  insertPartAttachment,
  type PartStorage,
  responseOfPart,
  storedNameOf,
  type UploadResponse,
} from "../parts.js";
import { type Bucket, ifNoObject } from "./bucket.js";
import { removeObjects } from "./s3-uploads.js";

/**
 * Stores the bytes of resumable uploads in a bucket, as multipart uploads under the name of the complete upload. The last request makes
 * the attachment; if it could not, the next request that asks for the upload does.
 */
export class S3PartStore extends DataStore implements PartStorage {
  override extensions = ["creation", "creation-with-upload", "termination"];
  readonly #services: Services;
  readonly #bucket: Bucket;

  constructor(services: Services, bucket: Bucket) {
    super();
    this.#services = services;
    this.#bucket = bucket;
  }

  override async create(upload: Upload): Promise<Upload> {
    // The library changes the upload that it is given.
    const { creation_date } = await this.#bucket.parts.create(withId(upload, this.#keyOf(upload.id)));
    return Object.assign(upload, { creation_date });
  }

  override async getUpload(id: string): Promise<Upload> {
    const upload = await this.#read(id);
    const isReceived = upload.offset === upload.size && upload.size > 0;
    if (isReceived) await this.#finish(id, upload);
    return upload;
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const end = await this.#bucket.parts.write(bytes, this.#keyOf(id), offset);
    const upload = await this.#read(id);
    if (end === upload.size) await this.#finish(id, upload);
    return end;
  }

  override async remove(id: string): Promise<void> {
    await this.#read(id);
    await this.#bucket.parts.remove(this.#keyOf(id));
    await removeObjects(this.#bucket, storedNameOf(id));
  }

  /** Returns the response to a complete upload. Finishes an empty upload, which has no bytes to write. */
  async responseOf(id: string): Promise<UploadResponse> {
    const upload = await this.#read(id);
    if (upload.size === 0) {
      const { client, name } = this.#bucket;
      await client.putObject({ Bucket: name, Key: this.#keyOf(id), Body: new Uint8Array() });
      await this.#finish(id, upload);
    }
    const answer = await responseOfPart(this.#services, id);
    if (answer === undefined) throw new Error("the upload is not complete");
    return answer;
  }

  /** Makes the attachment of an upload whose bytes are complete, unless it has one. Throws if the object was removed. */
  async #finish(id: string, { size = 0, metadata = {} }: Upload): Promise<void> {
    if ((await responseOfPart(this.#services, id)) !== undefined) return;
    if (!(await this.#exists(this.#keyOf(id)))) throw ERRORS.FILE_NO_LONGER_EXISTS;
    await inTransaction(this.#services, "write", (within) => insertPartAttachment(within, id, { size, metadata }));
  }

  async #read(id: string): Promise<Upload & { readonly size: number }> {
    // The library would treat every error as a missing upload.
    if (!(await this.#exists(`${this.#keyOf(id)}.info`))) throw ERRORS.FILE_NOT_FOUND;
    const upload = await this.#bucket.parts.getUpload(this.#keyOf(id));
    return withId(upload, id);
  }

  async #exists(key: string): Promise<boolean> {
    const { client, name } = this.#bucket;
    return (await client.headObject({ Bucket: name, Key: key }).catch(ifNoObject)) !== undefined;
  }

  #keyOf(id: string): string {
    if (creatorOf(id) === undefined) throw ERRORS.FILE_NOT_FOUND;
    return this.#bucket.prefix + storedNameOf(id);
  }
}

/** A copy of an upload under another id. Its length is always known (`tusRefusal`). */
function withId({ size = 0, offset, metadata, creation_date }: Upload, id: string): Upload & { readonly size: number } {
  const upload = new Upload({
    ...{ id, size, offset },
    ...(metadata === undefined ? {} : { metadata }),
    ...(creation_date === undefined ? {} : { creation_date }),
  });
  return Object.assign(upload, { size });
}
