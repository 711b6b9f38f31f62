import { SlowBodyError } from "../../http/receive-body.js";

/** Why a body is not read. */
export interface RefusedBody {
  readonly kind: "refused";
  readonly status: 400 | 408 | 413 | 415 | 503 | 507;
  readonly message: string;
}

/** The client is gone. */
export interface AbortedBody {
  readonly kind: "aborted";
}

/** A stretch of a body, which may be empty. */
export interface BodyBytes {
  readonly kind: "bytes";
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Reads a body in stretches. */
export interface BodyReader {
  /** Reads at least so many bytes, or to the end. */
  readonly next: (minBytes?: number) => Promise<BodyBytes | RefusedBody | AbortedBody>;
  /** Says that so many bytes of what was read are no longer in memory. */
  readonly letGo: (bytes: number) => void;
}

/** Bounds of a body. */
export interface BodyReaderOptions {
  readonly maxBytes: number;
  /** Asks for room in memory. */
  readonly hold: (bytes: number) => boolean;
}

/** How much is read before it is looked at: a piece of one byte costs as much as one of many. */
export const blockBytes = 64 * 1024;

/**
 * Makes a reader of a body. It stops where a bound is reached and leaves the rest in the stream, whose iterator it never closes:
 * that would end the connection before the answer is sent.
 */
export function createBodyReader(body: AsyncIterable<Uint8Array>, { maxBytes, hold }: BodyReaderOptions): BodyReader {
  const iterator = body[Symbol.asyncIterator]();
  let received = 0;
  let kept = 0;
  let held = 0;

  function keep(bytes: number): RefusedBody | undefined {
    received += bytes;
    if (received > maxBytes) return tooLarge(maxBytes);
    kept += bytes;
    if (kept <= held) return undefined;
    if (!hold(kept - held)) return refused(503, "The server has no room in memory for the request; try again later");
    held = kept;
    return undefined;
  }

  return {
    next: async (minBytes = blockBytes) => {
      let block = Buffer.alloc(0);
      let length = 0;
      while (length < minBytes) {
        const step = await iterator.next().catch(failureOf);
        if ("kind" in step) return step;
        if (step.done) return { kind: "bytes", bytes: block.subarray(0, length), isLast: true };
        const piece = step.value;
        const refusal = keep(piece.length);
        if (refusal !== undefined) return refusal;
        if (length === 0 && piece.length >= minBytes) {
          return { kind: "bytes", bytes: Buffer.from(piece.buffer, piece.byteOffset, piece.length), isLast: false };
        }
        if (length + piece.length > block.length) {
          const larger = Buffer.allocUnsafe(Math.max(2 * length, length + piece.length));
          block.copy(larger, 0, 0, length);
          block = larger;
        }
        block.set(piece, length);
        length += piece.length;
      }
      return { kind: "bytes", bytes: block.subarray(0, length), isLast: false };
    },
    letGo: (bytes) => {
      kept -= bytes;
    },
  };
}

function failureOf(error: unknown): RefusedBody | AbortedBody {
  return error instanceof SlowBodyError ? refused(408, error.message) : { kind: "aborted" };
}

/** Refuses a body. */
export function refused(status: RefusedBody["status"], message: string): RefusedBody {
  return { kind: "refused", status, message };
}

/** Refuses a body of more bytes than a limit. */
export function tooLarge(limit: number): RefusedBody {
  return refused(413, `The request body is larger than ${limit} bytes`);
}

/** How often a text occurs in bytes. */
export function countText(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) count++;
  return count;
}

/** Counts a text in bytes that come piece by piece: makes a function that tells how often it has occurred so far. */
export function createTextCounter(text: string): (bytes: Buffer) => number {
  let count = 0;
  let tail = Buffer.alloc(0);
  return (bytes) => {
    const searched = Buffer.concat([tail, bytes]);
    count += countText(searched, text);
    // Too short for the whole text, so that nothing is counted twice.
    tail = Buffer.from(searched.subarray(Math.max(0, searched.length - Buffer.byteLength(text) + 1)));
    return count;
  };
}
