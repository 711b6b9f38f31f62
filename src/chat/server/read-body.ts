import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { mediaType } from "../codec/media-type.js";

/** How much a request body may hold. */
export interface BodyLimits {
  /** Bytes of a multipart body. */
  readonly uploadBytes: number;
  /** Bytes of any other body. */
  readonly formBytes: number;
  /** Form fields or parts. */
  readonly fields: number;
}

/** The fields and files of a body, or why it could not be read. */
export type ReadBody =
  | { readonly kind: "read"; readonly fields: [string, string][]; readonly files: [string, File][] }
  | { readonly kind: "refused"; readonly status: 400 | 413 | 415; readonly message: string }
  /** The client is gone. */
  | { readonly kind: "aborted" };

/** The headers of a request by their names in lower case. */
type Header = (name: string) => string | undefined;

const mebibyte = 1024 * 1024;

/** 32 MiB for uploads, 1 MiB for forms, and 1000 fields. */
export const defaultBodyLimits: BodyLimits = { uploadBytes: 32 * mebibyte, formBytes: mebibyte, fields: 1000 };

/**
 * Reads a urlencoded or multipart body as text fields and files.
 *
 * Media type parameters such as `charset` are accepted. An empty body has no fields, whatever its type. Never throws: a malformed
 * or oversized body is refused with a message that says what was expected. How much a body holds is counted before it is taken
 * apart, so that a small number of bytes cannot become a large number of objects.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  header: Header,
  limits = defaultBodyLimits,
): Promise<ReadBody> {
  const type = mediaType(header("content-type"));
  const limit = type === "multipart/form-data" ? limits.uploadBytes : limits.formBytes;
  const tooLarge = refused(413, `The request body is larger than ${limit} bytes`);
  if (Number(header("content-length") ?? 0) > limit) return tooLarge;
  const bytes = await readBytes(body, limit);
  if (bytes === "aborted") return { kind: "aborted" };
  if (bytes === "too large") return tooLarge;
  if (bytes.length === 0) return { kind: "read", fields: [], files: [] };
  const coding = header("content-encoding");
  if (coding !== undefined && coding !== "identity")
    return refused(415, `Content-Encoding ${coding} is not supported; send the body as it is`);
  switch (type) {
    case "application/x-www-form-urlencoded":
      if (holdsMore(bytes, "&", limits.fields - 1)) return tooMany(limits);
      return { kind: "read", fields: [...new URLSearchParams(bytes.toString("utf8"))], files: [] };
    case "multipart/form-data":
      return readMultipart(bytes, header("content-type") ?? "", limits);
    case "":
      return refused(400, "The request has a body but no Content-Type; send application/x-www-form-urlencoded");
    default:
      return refused(
        415,
        `Content-Type ${type} is not supported; send application/x-www-form-urlencoded or multipart/form-data`,
      );
  }
}

function refused(status: 400 | 413 | 415, message: string): ReadBody {
  return { kind: "refused", status, message };
}

function tooMany(limits: BodyLimits): ReadBody {
  return refused(400, `The request body has more than ${limits.fields} fields`);
}

/** Whether a text occurs more than `count` times. */
function holdsMore(bytes: Buffer, text: string, count: number): boolean {
  let found = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) {
    found++;
    if (found > count) return true;
  }
  return false;
}

async function readBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | "too large" | "aborted"> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      // Read on a little without keeping, so that the client gets to see the answer.
      if (length <= limit) pieces.push(piece);
      else if (length > 2 * limit) break;
    }
  } catch {
    return "aborted";
  }
  return length > limit ? "too large" : Buffer.concat(pieces);
}

function readMultipart(bytes: Buffer, contentType: string, limits: BodyLimits): ReadBody | Promise<ReadBody> {
  const malformed = refused(400, "The multipart body is malformed; see RFC 7578 for its form");
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return malformed;
  // One boundary before each part, and one at the end.
  if (holdsMore(bytes, `--${boundary}`, limits.fields + 1)) return tooMany(limits);
  return new Promise((resolve) => {
    const fields: [string, string][] = [];
    const files: [string, File][] = [];
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: { parts: limits.fields, fieldSize: limits.formBytes, headerPairs: 20 },
      });
    } catch {
      return resolve(malformed);
    }
    // A part may lack a name, and a file its own, whatever the types say.
    parser.on("field", (name, value) => fields.push([name ?? "", value]));
    parser.on("file", (name, file, filename, _encoding, type) => {
      const pieces: Buffer[] = [];
      file.on("data", (piece: Buffer) => pieces.push(piece));
      file.on("error", () => resolve(malformed));
      file.on("end", () => files.push([name ?? "", new File(pieces as BlobPart[], filename ?? "", { type })]));
    });
    parser.on("error", () => resolve(malformed));
    parser.on("finish", () => resolve({ kind: "read", fields, files }));
    parser.end(bytes);
  });
}
