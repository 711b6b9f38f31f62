import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { FetchFailure, reasonOfDecompressionError } from "./fetch-failure.js";

/** How many bytes of a body may be in memory, before and after decompression. */
export interface BodyLimit {
  readonly bytes: number;
  /** Raises the limit to the highest, as soon as there is memory for it. Throws `too-large` if it is the highest already. */
  readonly raise: () => Promise<void>;
}

/** Starts with a low limit, which is enough for nearly all bodies. */
export function createBodyLimit(lowest: number, highest: number, grow: () => Promise<void>): BodyLimit {
  let bytes = lowest;
  return {
    get bytes() {
      return bytes;
    },
    raise: async () => {
      if (bytes === highest) throw new FetchFailure("too-large");
      await grow();
      bytes = highest;
    },
  };
}

const firstBytes = 64 * 1024;

/**
 * Reads the body of an answer. Pieces are copied together as they come, so that a host that sends single bytes costs no more
 * memory than one that does not.
 *
 * Waits where the limit has to be raised, while the host waits, too. Throws what the limit throws, and what the answer throws.
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
  // Some servers leave out the zlib header that RFC 9110 asks for; its first byte ends in 8.
  ["deflate", (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? zlib : rawDeflate)(bytes, options)],
  ["br", promisify(brotliDecompress)],
]);

const maxCompressions = 3;
const chunkSize = 64 * 1024;

/**
 * Undoes the `Content-Encoding` of a body (RFC 9110, section 8.4): gzip, deflate, br, or several of them.
 *
 * Throws `undecodable` for another encoding or broken data, and what the limit throws as soon as the result has more bytes.
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

/** Starts anew under a higher limit, so that nothing is held while it waits for one. */
async function decompressOnce(bytes: Buffer, undo: Decompress, limit: BodyLimit): Promise<Buffer> {
  for (;;) {
    try {
      return await undo(bytes, { maxOutputLength: limit.bytes, chunkSize });
    } catch (error) {
      const reason = reasonOfDecompressionError(error);
      if (reason.kind !== "too-large") throw new FetchFailure(reason);
    }
    await limit.raise();
  }
}
