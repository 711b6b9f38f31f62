import { tmpdir } from "node:os";
import { mediaType } from "../codec/media-type.js";
import {
  type AbortedBody,
  type BodyReader,
  countText,
  createBodyReader,
  type RefusedBody,
  refused,
  tooLarge,
} from "./body-reader.js";
import { readMultipart } from "./read-multipart.js";

/** How much a request body may hold. */
export interface BodyLimits {
  /** Bytes of a multipart body. */
  readonly uploadBytes: number;
  /** Bytes of any other body, and of one field of a multipart body. */
  readonly formBytes: number;
  /** Form fields or parts. */
  readonly fields: number;
  /** Where files above 64 KiB are while their request is served. Defaults to the folder of the system for temporary files. */
  readonly spoolFolder?: string;
}

/** The fields and files of a body, or why it could not be read. */
export type ReadBody =
  | {
      readonly kind: "read";
      readonly fields: [string, string][];
      readonly files: [string, File][];
      /** Removes the temporary files that `files` are read from. */
      readonly dispose: () => Promise<void>;
    }
  | RefusedBody
  | AbortedBody;

/** How a body is read. */
export interface ReadBodyOptions {
  readonly limits?: BodyLimits;
  /**
   * Asks for room for so many more bytes in memory, as they arrive; false when there is none, which refuses the body with status
   * 503. Who called gives the room back when the request is answered. Defaults to room for everything.
   */
  readonly hold?: (bytes: number) => boolean;
}

/** The headers of a request by their names in lower case. */
type Header = (name: string) => string | undefined;

const mebibyte = 1024 * 1024;

/** 32 MiB for uploads, 1 MiB for forms, and 1000 fields. */
export const defaultBodyLimits: BodyLimits = { uploadBytes: 32 * mebibyte, formBytes: mebibyte, fields: 1000 };

/**
 * Reads a urlencoded or multipart body as text fields and files.
 *
 * Media type parameters such as `charset` are accepted. An empty body has no fields, whatever its type. Never throws for what a
 * client sends: a malformed or oversized body is refused with a message that says what was expected, and the rest of it is left in
 * the stream. How much a body holds is counted before it is taken apart, so that a small number of bytes cannot become a large
 * number of objects. Files above 64 KiB go to temporary files. Rejects when these cannot be written for another reason than a full
 * disk.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  header: Header,
  { limits = defaultBodyLimits, hold = () => true }: ReadBodyOptions = {},
): Promise<ReadBody> {
  const contentType = header("content-type") ?? "";
  const type = mediaType(contentType);
  const maxBytes = type === "multipart/form-data" ? limits.uploadBytes : limits.formBytes;
  const bodyBytes = Number(header("content-length") ?? Number.NaN);
  if (bodyBytes > maxBytes) return tooLarge(maxBytes);
  const reader = createBodyReader(body, { maxBytes, hold });
  const first = await reader.next(1);
  if (first.kind !== "bytes") return first;
  if (first.bytes.length === 0) return readFields([]);
  const coding = header("content-encoding");
  if (coding !== undefined && coding !== "identity")
    return refused(415, `Content-Encoding ${coding} is not supported; send the body as it is`);
  switch (type) {
    case "application/x-www-form-urlencoded":
      return readForm(reader, first.bytes, limits);
    case "multipart/form-data":
      return readMultipart(reader, first.bytes, {
        contentType,
        limits,
        folder: limits.spoolFolder ?? tmpdir(),
        bodyBytes: Number.isInteger(bodyBytes) ? bodyBytes : undefined,
      });
    case "":
      return refused(400, "The request has a body but no Content-Type; send application/x-www-form-urlencoded");
    default:
      return refused(
        415,
        `Content-Type ${type} is not supported; send application/x-www-form-urlencoded or multipart/form-data`,
      );
  }
}

async function readForm(reader: BodyReader, first: Buffer, limits: BodyLimits): Promise<ReadBody> {
  const rest = await reader.next(limits.formBytes + 1);
  if (rest.kind !== "bytes") return rest;
  const bytes = Buffer.concat([first, rest.bytes]);
  if (countText(bytes, "&") > limits.fields - 1) {
    return refused(400, `The request body has more than ${limits.fields} fields`);
  }
  return readFields([...new URLSearchParams(bytes.toString("utf8"))]);
}

function readFields(fields: [string, string][]): ReadBody {
  return { kind: "read", fields, files: [], dispose: () => Promise.resolve() };
}
