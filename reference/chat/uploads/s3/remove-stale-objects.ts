import type { Clock } from "../../clock.js";
import type { Services } from "../../services.js";
import { maxIdleMs, minStrayAgeMs } from "../stale-chunks.js";
import { isStoredName, realmOfStored } from "../upload-store.js";
import type { Bucket } from "./bucket.js";
import { objectSuffixes, removeObjects } from "./s3-uploads.js";

/**
 * Removes resumable uploads that were begun a week ago and are incomplete, and objects that have had no attachment for a day. If the server
 * crashes after it stored bytes and before it recorded them, they have no attachment. Never touches objects whose names are not those of
 * uploads.
 */
export async function removeStaleObjects(
  services: Services,
  bucket: Bucket,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  const incomplete = await incompleteUploads(bucket);
  for (const { storedAs, key, uploadId, begunMs } of incomplete) {
    if (signal?.aborted) return;
    if (clock.now() - begunMs <= maxIdleMs) continue;
    await bucket.client.abortMultipartUpload({ Bucket: bucket.name, Key: key, UploadId: uploadId });
    await removeObjects(bucket, storedAs);
  }
  const underway = new Set(incomplete.map(({ storedAs }) => storedAs));
  let after: string | undefined;
  do {
    const { Contents = [], NextContinuationToken } = await bucket.client.listObjectsV2({
      ...{ Bucket: bucket.name, Prefix: bucket.prefix },
      ...(after === undefined ? {} : { ContinuationToken: after }),
    });
    for (const { Key = "", LastModified } of Contents) {
      if (signal?.aborted) return;
      const storedAs = nameOf(bucket, Key);
      if (storedAs === undefined || underway.has(storedAs)) continue;
      const isOld = LastModified !== undefined && clock.now() - LastModified.getTime() >= minStrayAgeMs;
      if (isOld && !(await isAttached(services, storedAs))) await removeObjects(bucket, storedAs);
    }
    after = NextContinuationToken;
  } while (after !== undefined);
}

/** The stored name in the key of an object; undefined if it is another object. */
function nameOf({ prefix }: Bucket, key: string): string | undefined {
  const suffix = objectSuffixes.find((suffix) => suffix !== "" && key.endsWith(suffix)) ?? "";
  const name = key.slice(prefix.length, key.length - suffix.length);
  return isStoredName(name) ? name : undefined;
}

async function incompleteUploads(bucket: Bucket) {
  const found: { storedAs: string; key: string; uploadId: string; begunMs: number }[] = [];
  let after: { KeyMarker: string; UploadIdMarker: string } | undefined;
  do {
    const page = await bucket.client.listMultipartUploads({ Bucket: bucket.name, Prefix: bucket.prefix, ...after });
    for (const { Key: key = "", UploadId: uploadId = "", Initiated } of page.Uploads ?? []) {
      const storedAs = nameOf(bucket, key);
      if (storedAs !== undefined && Initiated !== undefined)
        found.push({ storedAs, key, uploadId, begunMs: Initiated.getTime() });
    }
    after = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker ?? "", UploadIdMarker: page.NextUploadIdMarker ?? "" }
      : undefined;
  } while (after !== undefined);
  return found;
}

async function isAttached({ database }: Pick<Services, "database">, storedAs: string): Promise<boolean> {
  const attachment = await database
    .selectFrom("attachment")
    .select("id")
    .where("realm_id", "=", realmOfStored(storedAs))
    .where("stored_as", "=", storedAs)
    .executeTakeFirst();
  return attachment !== undefined;
}
