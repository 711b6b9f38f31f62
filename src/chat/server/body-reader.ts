import { SlowBodyError } from "../../http/receive-body.js";

/** A body that the server refuses to read. */
export interface RefusedBody {
  readonly kind: "refused";
  readonly status: 400 | 408 | 413 | 415 | 503 | 507;
  readonly message: string;
}

/** The client disconnected. */
export interface AbortedBody {
  readonly kind: "aborted";
}

/** The fields and files of a body, or the reason why it was not read. */
export type ReadBody =
  | {
      readonly kind: "read";
      readonly fields: [string, string][];
      readonly files: [string, File][];
      /** Removes the temporary files behind `files`. */
      readonly dispose: () => Promise<void>;
    }
  | RefusedBody
  | AbortedBody;

/** A block of a body, possibly empty. */
export interface BodyBytes {
  readonly kind: "bytes";
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Reads a body in blocks. */
export interface BodyReader {
  /** Reads at least `minBytes`, or to the end. */
  readonly next: (minBytes?: number) => Promise<BodyBytes | RefusedBody | AbortedBody>;
  /** Reports that some of the bytes read are no longer in memory. */
  readonly release: (bytes: number) => void;
}

/** Limits of a body. */
export interface BodyReaderOptions {
  readonly maxBytes: number;
  /** Reserves memory; false if none is available. */
  readonly hold: (bytes: number) => boolean;
}

/** Default size of a block. Processing many tiny chunks one by one would be slow. */
export const blockBytes = 64 * 1024;

/**
 * Creates a reader of a body. It stops at a limit and leaves the rest in the stream. It never closes the iterator, which would close
 * the connection before the response is sent.
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
    if (!hold(kept - held)) return refused(503, "The server has no memory left for the request; try again later");
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
    release: (bytes) => {
      kept -= bytes;
    },
  };
}

function failureOf(error: unknown): RefusedBody | AbortedBody {
  return error instanceof SlowBodyError ? refused(408, error.message) : { kind: "aborted" };
}

/** Makes a refusal of a body. */
export function refused(status: RefusedBody["status"], message: string): RefusedBody {
  return { kind: "refused", status, message };
}

/** Makes the refusal of a body above a size limit. */
export function tooLarge(limit: number): RefusedBody {
  return refused(413, `The request body is larger than ${limit} bytes`);
}

/** Counts the occurrences of a text in bytes. */
export function countText(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) count++;
  return count;
}

/** Makes a function that takes successive chunks and returns how often a text has occurred so far, across chunk boundaries. */
export function createTextCounter(text: string): (bytes: Buffer) => number {
  let count = 0;
  let tail = Buffer.alloc(0);
  return (bytes) => {
    const searched = Buffer.concat([tail, bytes]);
    count += countText(searched, text);
    // Shorter than the text, so that nothing is counted twice.
    tail = Buffer.from(searched.subarray(Math.max(0, searched.length - Buffer.byteLength(text) + 1)));
    return count;
  };
}
