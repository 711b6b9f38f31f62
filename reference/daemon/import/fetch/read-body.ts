import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { FetchFailure, toDecompressionReason } from "./fetch-failure.js";

/** Maximum bytes of a body in memory, before and after decompression. */
export interface BodyLimit {
  readonly bytes: number;
  /** Raises the limit to its maximum once memory is available. Throws `too-large` if it is already at its maximum. */
  readonly raise: () => Promise<void>;
}

/** Creates a limit that starts low, which is enough for nearly all bodies. */
export function createBodyLimit(minBytes: number, maxBytes: number, grow: () => Promise<void>): BodyLimit {
  let bytes = minBytes;
  return {
    get bytes() {
      return bytes;
    },
    raise: async () => {
      if (bytes === maxBytes) throw new FetchFailure("too-large");
      await grow();
      bytes = maxBytes;
    },
  };
}

const firstBytes = 64 * 1024;

/**
 * Reads the body of a response. Copies chunks into one buffer as they arrive, so that a host that sends single bytes
 * uses no additional memory. Pauses the host while it waits for the limit to be raised. Throws the errors of the limit
 * and of the response.
 */
export async function readBody(answer: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  while (Number(answer.headers["content-length"]) > limit.bytes) await limit.raise();
  let bytes = Buffer.allocUnsafe(Math.min(firstBytes, limit.bytes));
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    const needed = length + piece.length;
    while (needed > limit.bytes) await limit.raise();
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, bytes.length * 2), limit.bytes));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    piece.copy(bytes, length);
    length = needed;
  }
  return bytes.subarray(0, length);
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

const gzip: Decompress = promisify(gunzip);
const zlib: Decompress = promisify(inflate);
const rawDeflate: Decompress = promisify(inflateRaw);
const compressions: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  // Some servers omit the zlib header that RFC 9110 requires. The low four bits of its first byte are 8.
  ["deflate", (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? zlib : rawDeflate)(bytes, options)],
  ["br", promisify(brotliDecompress)],
]);

const maxCompressions = 3;
const chunkSize = 64 * 1024;

/**
 * Decodes the `Content-Encoding` of a body (RFC 9110, section 8.4): gzip, deflate, br, or several of them.
 *
 * Throws `undecodable` for other encodings and corrupt data, and the error of the limit once the result exceeds it.
 */
export async function decompress(body: Buffer, contentEncoding: string, limit: BodyLimit): Promise<Buffer> {
  if (body.length === 0) return body;
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > maxCompressions) throw new FetchFailure("undecodable");
  let bytes = body;
  for (const name of names.reverse()) {
    const undo = compressions.get(name);
    if (undo === undefined) throw new FetchFailure("undecodable");
    bytes = await decompressOnce(bytes, undo, limit);
  }
  return bytes;
}

/** Starts again with a higher limit, instead of holding output while it waits for memory. */
async function decompressOnce(bytes: Buffer, undo: Decompress, limit: BodyLimit): Promise<Buffer> {
  for (;;) {
    try {
      return await undo(bytes, { maxOutputLength: limit.bytes, chunkSize });
    } catch (error) {
      const reason = toDecompressionReason(error);
      if (reason.kind !== "too-large") throw new FetchFailure(reason);
    }
    await limit.raise();
  }
}
