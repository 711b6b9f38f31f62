import type { IncomingMessage, ServerResponse } from "node:http";
import { errorEnvelope } from "../../../src/chat/server/error-envelope.js";
import type { ServiceRequest } from "../../../src/chat/server/index.js";
import { receiveBody } from "../../../src/http/receive-body.js";
import { sendText } from "../../../src/http/send-text.js";

/** Converts a request of Node's HTTP server for the chat service. */
export function toServiceRequest(request: IncomingMessage, response: ServerResponse): ServiceRequest {
  return {
    method: request.method ?? "",
    target: request.url ?? "",
    header: headerOf(request),
    body: hasBody(request) ? receiveBody(request) : nothing,
    closed: closeOf(response),
  };
}

function closeOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}

/** Looks up headers of a request by lower-case name. */
export function headerOf({ headers }: IncomingMessage): ServiceRequest["header"] {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

/**
 * A request without either header has no body (RFC 9112, section 6.3). Skipping the stream saves more time than the rest of a
 * small request takes.
 */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

const nothing: ServiceRequest["body"] = { async *[Symbol.asyncIterator]() {} };

/**
 * Sends JSON text, or no body if the text is empty. Content-Length is the length of the text unless the headers set it, as they
 * do for HEAD; 204 has none (RFC 9110, section 8.6).
 */
export function writeJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = { "Content-Type": "application/json" },
): void {
  response.writeHead(status, status === 204 ? headers : { "Content-Length": Buffer.byteLength(text), ...headers });
  sendText(response, text);
}

/** Sends an error in the envelope. The code defaults to the generic `BAD_REQUEST`. */
export function writeError(
  response: ServerResponse,
  status: number,
  msg: string,
  { code, headers = {} }: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const text = JSON.stringify(errorEnvelope(msg, code));
  writeJson(response, status, text, { "Content-Type": "application/json", ...headers });
}
