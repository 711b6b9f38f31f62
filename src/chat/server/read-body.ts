import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { mediaType } from "../codec/media-type.js";

/** How much a request body may hold. */
export interface BodyLimits {
  /** Bytes of the whole body. */
  readonly bytes: number;
  /** Form fields and parts. */
  readonly fields: number;
}

/** The fields and files of a body, or why it could not be read. */
export type ReadBody =
  | { readonly kind: "read"; readonly fields: [string, string][]; readonly files: [string, File][] }
  | { readonly kind: "refused"; readonly status: 400 | 413 | 415; readonly message: string };

/** 32 MiB and 1000 fields. */
export const defaultBodyLimits: BodyLimits = { bytes: 32 * 1024 * 1024, fields: 1000 };

/**
 * Reads a urlencoded or multipart body as text fields and files.
 *
 * Media type parameters such as `charset` are accepted. An empty body has no fields, whatever its type. Nothing throws and
 * nothing is left unread: a malformed or oversized body is refused with a message that says what was expected.
 */
export async function readBody(
  stream: Readable,
  contentType: string | undefined,
  limits = defaultBodyLimits,
): Promise<ReadBody> {
  const bytes = await readBytes(stream, limits.bytes);
  if (bytes === undefined) return refused(413, `The request body is larger than ${limits.bytes} bytes`);
  if (bytes.length === 0) return { kind: "read", fields: [], files: [] };
  switch (mediaType(contentType)) {
    case "application/x-www-form-urlencoded":
      return limited([...new URLSearchParams(bytes.toString("utf8"))], [], limits);
    case "multipart/form-data":
      return readMultipart(bytes, contentType ?? "", limits);
    case "":
      return refused(400, "The request has a body but no Content-Type; send application/x-www-form-urlencoded");
    default:
      return refused(
        415,
        `Content-Type ${mediaType(contentType)} is not supported; send application/x-www-form-urlencoded or multipart/form-data`,
      );
  }
}

function refused(status: 400 | 413 | 415, message: string): ReadBody {
  return { kind: "refused", status, message };
}

function limited(fields: [string, string][], files: [string, File][], limits: BodyLimits): ReadBody {
  return fields.length + files.length > limits.fields
    ? refused(400, `The request body has more than ${limits.fields} fields`)
    : { kind: "read", fields, files };
}

async function readBytes(stream: Readable, limit: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    length += piece.length;
    // Read on without keeping, so that the client gets to see the answer.
    if (length <= limit) pieces.push(piece);
  }
  return length > limit ? undefined : Buffer.concat(pieces);
}

function readMultipart(bytes: Buffer, contentType: string, limits: BodyLimits): Promise<ReadBody> {
  const malformed = refused(400, "The multipart body is malformed; see RFC 7578 for its form");
  return new Promise((resolve) => {
    const fields: [string, string][] = [];
    const files: [string, File][] = [];
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: { parts: limits.fields + 1, fieldSize: limits.bytes },
      });
    } catch {
      return resolve(malformed);
    }
    parser.on("field", (name, value) => fields.push([name, value]));
    parser.on("file", (name, file, filename, _encoding, type) => {
      const pieces: Buffer[] = [];
      file.on("data", (piece: Buffer) => pieces.push(piece));
      file.on("error", () => resolve(malformed));
      file.on("end", () => files.push([name, new File(pieces as BlobPart[], filename, { type })]));
    });
    parser.on("error", () => resolve(malformed));
    parser.on("finish", () => resolve(limited(fields, files, limits)));
    parser.end(bytes);
  });
}
