import type { S3 } from "@aws-sdk/client-s3";
import type { S3Store } from "@tus/s3-store";
import { missingPackage } from "../../../../src/missing-package.js";
import { UsageError } from "../../../../src/usage-error.js";

/** Where uploads are in an S3-compatible store. Credentials and region come from the usual variables, such as `AWS_ACCESS_KEY_ID`. */
export interface BucketPlace {
  /** `s3://bucket` or `s3://bucket/prefix`. */
  readonly url: string;
  /** The URL of a store other than that of Amazon. */
  readonly endpoint?: string;
}

/** An open bucket. */
export interface Bucket {
  readonly name: string;
  /** The beginning of the names of all objects: empty, or ends with a slash. */
  readonly prefix: string;
  readonly client: S3;
  /** Resumable uploads, which are multipart uploads of the bucket. */
  readonly parts: S3Store;
}

/** Thrown if a bucket cannot be used. The message says why and what to do. */
export class BucketError extends UsageError {
  override readonly name = "BucketError";
}

/** Reads the name and the prefix of a bucket. Undefined if the text is not such a URL. */
export function parseBucketUrl(url: string): Pick<Bucket, "name" | "prefix"> | undefined {
  const [, name, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(url) ?? [];
  const prefix = path.replace(/\/+$/, "");
  return name === undefined ? undefined : { name, prefix: prefix === "" ? "" : `${prefix}/` };
}

/** The cache of the library would keep every upload that is never completed. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => {} };

/** Opens a bucket. Rejects with a `BucketError` if it cannot be reached, or if the package for S3 is not installed. */
export async function openBucket({ url, endpoint }: BucketPlace): Promise<Bucket> {
  const place = parseBucketUrl(url);
  if (place === undefined) throw new BucketError("A bucket for uploads must have the form s3://bucket/prefix");
  const { S3Store } = await import("@tus/s3-store").catch((error: unknown) => {
    if (missingPackage(error) === undefined) throw error;
    throw new BucketError(
      `Uploads in ${url} need a package that is not installed. Install it with: npm install @tus/s3-store`,
    );
  });
  class Parts extends S3Store {
    readonly s3 = this.client;
  }
  const { AWS_REGION: region = "us-east-1" } = process.env;
  const parts = new Parts({
    cache: noCache,
    useTags: false,
    s3ClientConfig: {
      bucket: place.name,
      // Other stores may not know the newer checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      ...(endpoint === undefined ? {} : { endpoint, region, forcePathStyle: true }),
    },
  });
  await parts.s3.headBucket({ Bucket: place.name }).catch((error: Error) => {
    throw new BucketError(`The bucket ${place.name} cannot be used: ${reasonOf(error)}`, { cause: error });
  });
  return { ...place, client: parts.s3, parts };
}

/** The response to HEAD has no message. */
function reasonOf({ name, message, $metadata }: Error & { readonly $metadata?: { readonly httpStatusCode?: number } }) {
  const status = $metadata?.httpStatusCode;
  return status === undefined ? message || name : `the store answers ${status}`;
}

/** Whether an error comes from the store: the library adds this field to each. */
export function isStoreFault(error: unknown): boolean {
  return typeof error === "object" && error !== null && "$metadata" in error;
}

/** Returns undefined for an error that says that an object does not exist; rethrows any other. */
export function ifNoObject(error: Error): undefined {
  if (!["NoSuchKey", "NotFound"].includes(error.name)) throw error;
}
