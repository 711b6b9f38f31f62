import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { ConnectError } from "@connectrpc/connect";
import { grpcStatus } from "../calls/grpc-status.js";

/** As much of metadata and details as clients accept by default, with the rest of the headers; in bytes. */
const largestMetadata = 7_000;

const success: OutgoingHttpHeaders = { "grpc-status": "0" };
const respondOptions = { waitForTrailers: true };

/** Sends a message in gRPC's framing, and status 0. */
export function sendMessage(stream: ServerHttp2Stream, contentType: string, framed: Uint8Array): void {
  stream.on("wantTrailers", sendSuccess);
  stream.respond({ ":status": 200, "content-type": contentType }, respondOptions);
  stream.end(framed);
}

function sendSuccess(this: ServerHttp2Stream): void {
  this.sendTrailers(success);
}

/**
 * Sends an error in headers alone ("Trailers-Only"). What is left of the request is not wanted any more, and the client is told so.
 * Metadata and details that are too large for a client are left out.
 */
export function sendError(stream: ServerHttp2Stream, contentType: string, error: ConnectError): void {
  const status = statusHeaders(error);
  const size = Object.entries(status).reduce((sum, [name, value]) => sum + name.length + String(value).length + 32, 0);
  const headers = size > largestMetadata ? statusHeaders(new ConnectError(error.rawMessage, error.code)) : status;
  stream.respond({ ...headers, ":status": 200, "content-type": contentType }, { endStream: true });
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

function statusHeaders(error: ConnectError): OutgoingHttpHeaders {
  return Object.fromEntries(grpcStatus(error));
}
