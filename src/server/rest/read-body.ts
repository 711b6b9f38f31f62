import { tmpdir } from "node:os";
import { mediaType } from "../../http/media-type.js";
import { type SentText, textsOfQuery } from "../../request/style.js";
import { BodyError, piecesOf, type ReadBody, refused, tooLarge } from "./body-reader.js";
import { readMultipart } from "./read-multipart.js";

/** Limits of a request body. */
export interface BodyLimits {
  /** Bytes of a multipart body. */
  readonly uploadBytes: number;
  /** Bytes of any other body, and of all fields of a multipart body. */
  readonly formBytes: number;
  /** Number of form fields or parts. */
  readonly fields: number;
  /** Folder for files during their request. Defaults to the temporary folder of the system. */
  readonly spoolFolder?: string;
}

/** Options of `readBody`. */
export interface ReadBodyOptions {
  readonly limits?: BodyLimits;
  /**
   * Reserves memory: 1 MiB for an upload, and the bytes of any other body as they arrive. False refuses the body with status 503. The caller
   * of `readBody` releases the memory after the response. By default, memory is unlimited.
   */
  readonly hold?: (bytes: number) => boolean;
  /** Whether a body that is no form is read too, with the limit of uploads. Defaults to false. */
  readonly takesAny?: boolean;
}

const mebibyte = 1024 * 1024;

/** 32 MiB for uploads, 1 MiB for forms, and 1000 fields. */
export const defaultBodyLimits: BodyLimits = { uploadBytes: 32 * mebibyte, formBytes: mebibyte, fields: 1000 };

/**
 * Reads a urlencoded or multipart body into text fields and files. Files become temporary files.
 *
 * Accepts media type parameters such as `charset`. An empty body of any type has no fields. Refuses a malformed or oversized body with
 * a message that says what was expected, and leaves the rest in the stream. Rejects only if a temporary file cannot be written for a
 * reason other than a full disk.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  header: (name: string) => string | undefined,
  { limits = defaultBodyLimits, hold = () => true, takesAny = false }: ReadBodyOptions = {},
): Promise<ReadBody> {
  const contentType = header("content-type") ?? "";
  const type = mediaType(contentType);
  const isSmall = type === "application/x-www-form-urlencoded" || !(takesAny || type === "multipart/form-data");
  const maxBytes = isSmall ? limits.formBytes : limits.uploadBytes;
  const take = (bytes: number) => {
    if (!hold(bytes)) throw refused(503, "The server has no memory left for the request; try again later");
  };
  try {
    if (Number(header("content-length")) > maxBytes) throw tooLarge(maxBytes);
    const pieces = piecesOf(body, maxBytes);
    const { done, value: first } = await pieces.next();
    if (done) return readFields([]);
    const coding = header("content-encoding");
    if (coding !== undefined && coding !== "identity")
      throw refused(415, `Content-Encoding ${coding} is not supported; send the body as it is`);
    switch (type) {
      case "application/x-www-form-urlencoded":
        return readForm(await collect(startingWith(first, pieces), take), limits.fields);
      case "multipart/form-data":
        take(mebibyte);
        return await readMultipart(startingWith(first, pieces), {
          contentType,
          maxFields: limits.fields,
          maxFieldBytes: limits.formBytes,
          folder: limits.spoolFolder ?? tmpdir(),
        });
    }
    if (takesAny) return { ...readFields([]), bytes: await collect(startingWith(first, pieces), take) };
    switch (type) {
      case "":
        throw refused(400, "The request has a body but no Content-Type; send application/x-www-form-urlencoded");
      default:
        throw refused(
          415,
          `Content-Type ${type} is not supported; send application/x-www-form-urlencoded or multipart/form-data`,
        );
    }
  } catch (error) {
    if (error instanceof BodyError) return error.reason;
    throw error;
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Pieces that are joined at once: a client can send single bytes, each of which would take a multiple of its size. */
const maxPieces = 1000;

async function collect(pieces: AsyncIterable<Uint8Array>, take: (bytes: number) => void): Promise<Buffer> {
  let received: Uint8Array[] = [];
  for await (const piece of pieces) {
    take(piece.length);
    received.push(piece);
    if (received.length > maxPieces) received = [Buffer.concat(received)];
  }
  return Buffer.concat(received);
}

function readForm(bytes: Buffer, maxFields: number): ReadFields {
  const text = bytes.toString("utf8");
  // Counted first, so that a few bytes cannot become many objects.
  if (text.split("&", maxFields + 1).length > maxFields)
    throw refused(400, `The request body has more than ${maxFields} fields`);
  return readFields(textsOfQuery(text));
}

type ReadFields = Extract<ReadBody, { kind: "read" }>;

function readFields(fields: readonly SentText[]): ReadFields {
  return { kind: "read", fields, files: [], dispose: () => Promise.resolve() };
}
