import type { IncomingMessage } from "node:http";
import type { BodyLimit } from "./body-limit.js";

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
