import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import type { UniversalClientResponse } from "@connectrpc/connect/protocol";

/** The response that arrives on a stream. */
export interface Received {
  /** Resolves once the headers have arrived. */
  readonly response: Promise<UniversalClientResponse>;
  readonly hasBegun: () => boolean;
  /** Whether the server has sent all of it. Whatever ends the connection then is no matter of this response. */
  readonly isWhole: () => boolean;
  /** Ends it, with an error unless it is whole. Only the first call has an effect. */
  readonly end: (error: Error | undefined) => void;
}

/** More is left to the flow control of HTTP/2. */
export const maxUnreadBytes = 1024 * 1024;

/** Receives the response of a stream, ahead of its reader: Node drops what was not read when a connection fails. */
export function receive(stream: ClientHttp2Stream): Received {
  const pieces: Uint8Array[] = [];
  let unreadBytes = 0;
  let hasBegun = false;
  let isWhole = false;
  let end: { readonly error: Error | undefined } | undefined;
  let notify = () => {};
  let respond: (response: UniversalClientResponse) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const response = new Promise<UniversalClientResponse>((resolve, reject) => {
    respond = resolve;
    fail = reject;
  });
  const trailer = new Headers();

  async function* body(): AsyncIterable<Uint8Array> {
    try {
      for (;;) {
        for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
          unreadBytes -= piece.length;
          yield piece;
        }
        if (stream.isPaused() && !stream.destroyed) stream.resume();
        if (end?.error !== undefined) throw end.error;
        if (end !== undefined) return;
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    } finally {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  function finish(error: Error | undefined): void {
    if (end !== undefined) return;
    end = { error };
    if (error !== undefined) fail(error);
    notify();
  }

  stream.on("data", (piece: Uint8Array) => {
    pieces.push(piece);
    unreadBytes += piece.length;
    if (unreadBytes > maxUnreadBytes) stream.pause();
    notify();
  });
  stream.once("response", (headers, flags) => {
    hasBegun = true;
    isWhole = isLast(flags);
    respond({ status: Number(headers[":status"]), header: addHeaders(new Headers(), headers), body: body(), trailer });
  });
  stream.once("trailers", (headers, flags) => {
    addHeaders(trailer, headers);
    isWhole ||= isLast(flags);
  });
  stream.once("end", () => {
    if (!hasBegun) return;
    // What was cut off ends as well, before its stream closes.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) return;
    isWhole = true;
    finish(undefined);
  });
  return { response, hasBegun: () => hasBegun, isWhole: () => isWhole, end: finish };
}

function isLast(flags: number): boolean {
  return (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
}

function addHeaders(headers: Headers, given: IncomingHttpHeaders): Headers {
  for (const [name, value] of Object.entries(given))
    if (!name.startsWith(":")) for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}
