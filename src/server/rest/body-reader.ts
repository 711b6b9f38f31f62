import { SlowBodyError } from "../../http/receive-body.js";
import type { SentText } from "../../request/style.js";

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
      readonly fields: readonly SentText[];
      readonly files: [string, File][];
      /** The body if it is no form. */
      readonly bytes?: Uint8Array;
      /** Removes the temporary files behind `files`. */
      readonly dispose: () => Promise<void>;
    }
  | RefusedBody
  | AbortedBody;

/** Thrown if a body cannot be read. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  readonly reason: RefusedBody | AbortedBody;

  constructor(reason: RefusedBody | AbortedBody) {
    super(reason.kind === "refused" ? reason.message : "The client disconnected");
    this.reason = reason;
  }
}

/** Makes the error of a refused body. */
export function refused(status: RefusedBody["status"], message: string): BodyError {
  return new BodyError({ kind: "refused", status, message });
}

/**
 * The pieces of a body, except empty ones. Throws a `BodyError` above `maxBytes`, or if the client is too slow or disconnects. Leaves the
 * rest in the stream: closing the iterator of the body would close the connection before the response is sent.
 */
export async function* piecesOf(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let received = 0;
  for (;;) {
    const { done, value } = await iterator.next().catch((error: unknown) => {
      throw error instanceof SlowBodyError ? refused(408, error.message) : new BodyError({ kind: "aborted" });
    });
    if (done) return;
    received += value.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    if (value.length > 0) yield value;
  }
}

/** Makes the error of a body above a size limit. */
export function tooLarge(limit: number): BodyError {
  return refused(413, `The request body is larger than ${limit} bytes`);
}
