import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import type { BodyLimit } from "./body-limit.js";
import { FetchFailure } from "./fetch-failure.js";
import { reasonOfDecompressionError } from "./reason-of-error.js";

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
