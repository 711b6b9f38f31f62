import { bytesText, maxHeldBytes, tooLarge } from "../answer-limits.js";

/** A response was larger than it may be. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The bytes of all answers that this process is reading. */
let heldBytes = 0;

/**
 * The body of a response as UTF-8, decompressed. Rejects with a `TooLargeError`, and ends the response, as soon as it is larger than
 * `maxBytes`, or all that are read at the same time are larger than 64 MiB; otherwise rejects as `fetch` does.
 */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  if (body === null) return "";
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    // A stream of the platform; its type does not say that it can be iterated over.
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      length += piece.length;
      heldBytes += piece.length;
      if (length > maxBytes) throw new TooLargeError(tooLarge(maxBytes));
      if (heldBytes > maxHeldBytes) {
        throw new TooLargeError(`the answers that come at the same time are larger than ${bytesText(maxHeldBytes)}`);
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString("utf8");
  } finally {
    heldBytes -= length;
  }
}
