import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { ConnectError } from "@connectrpc/connect";
import { grpcStatus, maxRequestBytes, type Refusal } from "../calls/call-errors.js";

/** The prefix of a message: a flag in one byte, and the length in four. */
export const prefixLength = 5;

/**
 * Reads the one message of a request in gRPC's framing (Length-Prefixed-Message of
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). Calls `done` at most once, and never if the stream is aborted.
 * Refuses an invalid request at once, before it has arrived completely.
 */
export function readMessage(
  stream: ServerHttp2Stream,
  done: (message: Uint8Array | undefined, refusal?: Refusal) => void,
): void {
  let received: Buffer | undefined;
  let more: Buffer[] = [];
  let length = 0;

  function refuse(kind: Refusal): void {
    stop();
    done(undefined, kind);
  }

  function stop(): void {
    stream.off("data", take);
    stream.off("end", end);
  }

  function take(chunk: Buffer): void {
    length += chunk.length;
    if (received === undefined) received = chunk;
    else more.push(chunk);
    if (length < prefixLength) return;
    if (received.length < prefixLength) received = joined();
    const size = received.readUInt32BE(1);
    if (received[0] !== 0) refuse("bad-flag");
    else if (size > maxRequestBytes) refuse("too-large");
    else if (length > prefixLength + size) refuse("not-one-message");
  }

  function joined(): Buffer {
    const all = Buffer.concat([received ?? Buffer.alloc(0), ...more]);
    more = [];
    return all;
  }

  function end(): void {
    const all = more.length === 0 && received !== undefined ? received : joined();
    if (length === 0) refuse("not-one-message");
    else if (length < prefixLength || length < prefixLength + all.readUInt32BE(1)) refuse("truncated");
    else done(all.subarray(prefixLength));
  }

  stream.on("data", take);
  stream.on("end", end);
}

/** Maximum size of the headers of an error in bytes, which clients accept by default. */
const maxMetadataBytes = 7_000;

const success: OutgoingHttpHeaders = { "grpc-status": "0" };
const respondOptions = { waitForTrailers: true };

/** Sends a framed message with status 0. */
export function sendMessage(stream: ServerHttp2Stream, contentType: string, framed: Uint8Array): void {
  stream.on("wantTrailers", sendSuccess);
  stream.respond({ ":status": 200, "content-type": contentType }, respondOptions);
  stream.end(framed);
}

function sendSuccess(this: ServerHttp2Stream): void {
  this.sendTrailers(success);
}

/**
 * Sends an error in headers alone ("Trailers-Only"), and asks the client to stop sending the request. Omits metadata
 * and details that are too large for clients.
 */
export function sendError(stream: ServerHttp2Stream, contentType: string, error: ConnectError): void {
  const status = statusHeaders(error);
  const size = Object.entries(status).reduce((sum, [name, value]) => sum + name.length + String(value).length + 32, 0);
  const headers = size > maxMetadataBytes ? statusHeaders(new ConnectError(error.rawMessage, error.code)) : status;
  stream.respond({ ...headers, ":status": 200, "content-type": contentType }, { endStream: true });
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

function statusHeaders(error: ConnectError): OutgoingHttpHeaders {
  return Object.fromEntries(grpcStatus(error));
}
