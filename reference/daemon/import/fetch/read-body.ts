import type { IncomingMessage } from "node:http";
import { FetchFailure } from "./fetch-failure.js";

const firstBytes = 64 * 1024;

/**
 * Reads the body of an answer. Pieces are copied together as they come, so that a host that sends single bytes costs no more
 * memory than one that does not.
 *
 * Throws `too-large` above `mostBytes`, and what the answer throws.
 */
export async function readBody(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(answer.headers["content-length"]) > mostBytes) throw new FetchFailure("too-large");
  let bytes = Buffer.allocUnsafe(Math.min(firstBytes, mostBytes));
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    const needed = length + piece.length;
    if (needed > mostBytes) throw new FetchFailure("too-large");
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, bytes.length * 2), mostBytes));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
    piece.copy(bytes, length);
    length = needed;
  }
  return bytes.subarray(0, length);
}
