import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceRequest } from "../../../src/chat/server/index.js";
import { errorEnvelope } from "../../../src/http/error-envelope.js";
import { receiveBody } from "../../../src/http/receive-body.js";
import { sendText } from "../../../src/http/send-text.js";

/** A request of Node's HTTP server as the chat service takes it. */
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

/** Reads the headers of a request by their names in lower case. */
export function headerOf({ headers }: IncomingMessage): ServiceRequest["header"] {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
}

/** Without either header there is no body (RFC 9112, section 6.3), and a stream costs more than the rest of a small request. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

const nothing: ServiceRequest["body"] = { async *[Symbol.asyncIterator]() {} };

/**
 * Answers a request with JSON text, or with nothing when the text is empty. The length is that of the text unless the headers have
 * one, as they do for HEAD; 204 has none (RFC 9110, section 8.6).
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

/** Answers a request with an error in the envelope. The code defaults to the generic `BAD_REQUEST`. */
export function writeError(
  response: ServerResponse,
  status: number,
  msg: string,
  { code, headers = {} }: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const text = JSON.stringify(errorEnvelope(msg, code));
  writeJson(response, status, text, { "Content-Type": "application/json", ...headers });
}
