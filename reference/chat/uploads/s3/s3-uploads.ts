import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { createStoredName, type UploadStore } from "../upload-store.js";
import { type Bucket, ifNoObject } from "./bucket.js";

/** Uploads in an S3-compatible store, so that every server can read and continue them. */
export interface S3Uploads extends UploadStore {
  readonly kind: "s3";
  readonly within: () => S3Uploads;
  readonly bucket: Bucket;
}

/** Creates the store of uploads in a bucket. `spoolFolder` is where this server receives large bodies. */
export function createS3Uploads(bucket: Bucket, spoolFolder: string): S3Uploads {
  const { client, name, prefix } = bucket;

  async function put(realmId: number, bytes: Uint8Array | Readable, length: number): Promise<string> {
    const storedAs = createStoredName(realmId);
    await client.putObject({ Bucket: name, Key: prefix + storedAs, Body: bytes, ContentLength: length });
    return storedAs;
  }

  const uploads: S3Uploads = {
    kind: "s3",
    bucket,
    spoolFolder,
    within: () => uploads,
    store: (realmId, bytes) => put(realmId, bytes, bytes.length),
    adopt: async (realmId, file) => {
      const storedAs = await put(realmId, createReadStream(file), (await stat(file)).size);
      await rm(file, { force: true });
      return storedAs;
    },
    read: async (storedAs) => {
      const found = await client.getObject({ Bucket: name, Key: prefix + storedAs }).catch(ifNoObject);
      return found?.Body as Readable | undefined;
    },
    remove: (storedAs) => removeObjects(bucket, storedAs),
    close: () => client.destroy(),
  };
  return uploads;
}

/** The objects of a resumable upload: its bytes, its record, and bytes that are too few for a part. */
export const objectSuffixes = ["", ".info", ".part"] as const;

/** Removes the objects of an upload, if they exist. */
export async function removeObjects({ client, name, prefix }: Bucket, storedAs: string): Promise<void> {
  for (const suffix of objectSuffixes) await client.deleteObject({ Bucket: name, Key: prefix + storedAs + suffix });
}
