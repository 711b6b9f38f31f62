import type { IncomingMessage, OutgoingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { pairsOf, type RawHeaders } from "../recorded/recorded-exchange.js";
import { endToEndHeaders, has } from "./headers.js";
import type { Head } from "./server-side.js";

/** A request of a client over either version of HTTP. */
export type ClientRequest = IncomingMessage | Http2ServerRequest;
/** The response to it. */
export type ClientResponse = ServerResponse | Http2ServerResponse;

/** How long a client may keep sending after it has its response. */
export const maxClosingMs = 1_000;

/** Whether a response can no longer be sent. */
export function isGone(response: ClientResponse): boolean {
  return response instanceof Http2ServerResponse
    ? response.stream.closed || response.stream.destroyed
    : response.destroyed;
}

/** Sends the head of a response, and ends it if `isWhole`. Throws if Node refuses it. */
export function sendHead(request: ClientRequest, response: ClientResponse, head: Head, isWhole: boolean): void {
  const { status, reason, headers } = head;
  const isBodiless = request.method === "HEAD" || status === 204 || status === 304;
  const mayTrail = request.httpVersion === "1.1" && !isBodiless && has(headers, "transfer-encoding");
  response.sendDate = false;
  // Node keeps the parts of a head that it has refused.
  for (const name of response.getHeaderNames()) if (name !== "connection") response.removeHeader(name);
  if (response instanceof Http2ServerResponse) {
    response.statusCode = status;
    for (const [name, value] of pairsOf(endToEndHeaders(headers, () => true))) response.appendHeader(name, value);
    if (!isWhole) response.writeHead(status);
  } else {
    // Only a chunked body has trailers, and Node announces none for any other.
    const kept = endToEndHeaders(headers, (name) => name !== "trailer" || mayTrail);
    response.writeHead(status, reason, kept);
  }
  if (isWhole) response.end();
}

/** Ends a message with its trailers, unless Node refuses them. They may be dropped (RFC 9110, section 6.5.1). */
export function endWith(message: OutgoingMessage | Http2ServerResponse, trailers: RawHeaders): void {
  for (const [name, value] of pairsOf(endToEndHeaders(trailers, (lower) => !lower.startsWith(":")))) {
    try {
      message.addTrailers({ [name]: value });
    } catch {}
  }
  message.end();
}

/** Breaks off a response, with an error code of HTTP/2. */
export function breakOff(response: ClientResponse, code?: number): void {
  if (!(response instanceof Http2ServerResponse)) response.destroy();
  else if (!isGone(response)) response.stream.close(code || constants.NGHTTP2_INTERNAL_ERROR);
}

/** Stops a client that keeps sending after its response, as a server without a proxy would. */
export function stopReading({ stream }: Http2ServerResponse): void {
  stream.close(constants.NGHTTP2_NO_ERROR);
  stream.resume();
  setTimeout(() => stream.destroy(), maxClosingMs).unref();
}

/** Passes on interim responses, other than those that the proxy sends itself (RFC 9110, section 15.2). Hints are only links. */
export function inform(response: ClientResponse, status: number, { link }: NodeJS.Dict<string | string[]>): void {
  // A client that does not read must not make the proxy keep any number of them.
  const isBusy = response.headersSent || isGone(response) || response.socket?.writableNeedDrain === true;
  if (isBusy || response instanceof Http2ServerResponse) return;
  if (status === 102) response.writeProcessing();
  if (status !== 103 || link === undefined) return;
  try {
    response.writeEarlyHints({ link });
  } catch {
    // Node rejects links that it cannot parse. They are only hints.
  }
}
