import { tmpdir } from "node:os";
import { mediaType } from "../codec/media-type.js";
import { type BodyReader, countText, createBodyReader, type ReadBody, refused, tooLarge } from "./body-reader.js";
import { readMultipart } from "./read-multipart.js";

/** Limits of a request body. */
export interface BodyLimits {
  /** Bytes of a multipart body. */
  readonly uploadBytes: number;
  /** Bytes of any other body, and of one field of a multipart body. */
  readonly formBytes: number;
  /** Number of form fields or parts. */
  readonly fields: number;
  /** Folder for files above 64 KiB during their request. Defaults to the temporary folder of the system. */
  readonly spoolFolder?: string;
}

/** Options of `readBody`. */
export interface ReadBodyOptions {
  readonly limits?: BodyLimits;
  /**
   * Reserves memory for more bytes as they arrive; false refuses the body with status 503. The caller of `readBody` releases the
   * memory after the response. By default, memory is unlimited.
   */
  readonly hold?: (bytes: number) => boolean;
}

/** Looks up a header by its lower-case name. */
type Header = (name: string) => string | undefined;

const mebibyte = 1024 * 1024;

/** 32 MiB for uploads, 1 MiB for forms, and 1000 fields. */
export const defaultBodyLimits: BodyLimits = { uploadBytes: 32 * mebibyte, formBytes: mebibyte, fields: 1000 };

/**
 * Reads a urlencoded or multipart body into text fields and files. Files above 64 KiB go to temporary files.
 *
 * Accepts media type parameters such as `charset`. An empty body of any type has no fields. Refuses a malformed or oversized body with
 * a message that says what was expected, and leaves the rest in the stream. Counts the fields before it parses them, so that a few
 * bytes cannot become many objects. Rejects only if a temporary file cannot be written for a reason other than a full disk.
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
        maxFields: limits.fields,
        maxFieldBytes: limits.formBytes,
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
