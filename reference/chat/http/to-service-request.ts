import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceRequest } from "../../../src/chat/server/index.js";
import { receiveBody } from "../../../src/http/receive-body.js";

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
