import type { IncomingMessage } from "node:http";
import { type Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchFailure } from "./fetch-failure.js";

/** Maximum size of a body, after decompression, for which a fetch needs no additional memory. */
export const maxSmallBytes = 512 * 1024;
/** Maximum size of a body, as sent and after decompression. */
export const maxBytes = 16 * 1024 * 1024;

const decompressors: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * Reads the body of a response, and undoes one compression. Pauses the host while `grow` waits for the memory of a body
 * of more than `maxSmallBytes`.
 *
 * Throws `too-large`, `undecodable` for unknown compressions, and the errors of the response and of zlib.
 */
export async function readBody(response: IncomingMessage, grow: () => Promise<void>): Promise<Buffer> {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (Number(response.headers["content-length"]) > maxBytes) throw new FetchFailure("too-large");
  const { sink, bytes } = createSink(grow);
  const createDecompressor = decompressors.get(encoding);
  if (encoding === "" || encoding === "identity" || response.headers["content-length"] === "0")
    await pipeline(response, sink);
  else if (createDecompressor === undefined) throw new FetchFailure("undecodable");
  else await pipeline(response, createDecompressor(), sink);
  return bytes();
}

/** Copies pieces into one buffer as they arrive, so that a host that sends single bytes uses no additional memory. */
function createSink(grow: () => Promise<void>) {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let limit = maxSmallBytes;
  let length = 0;

  async function add(piece: Buffer): Promise<void> {
    const needed = length + piece.length;
    if (needed > maxBytes) throw new FetchFailure("too-large");
    if (needed > limit) {
      await grow();
      limit = maxBytes;
    }
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, buffer.length * 2), limit));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    piece.copy(buffer, length);
    length = needed;
  }

  const sink = new Writable({ write: (piece: Buffer, _, done) => void add(piece).then(() => done(), done) });
  return { sink, bytes: () => buffer.subarray(0, length) };
}
