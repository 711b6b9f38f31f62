import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { continueWhenRead, lingerAfterAnswers } from "./early-answers.js";
import { type FormatError, type FormattedError, hostProblem, refuseMalformed } from "./malformed-requests.js";
import { createPipeliningLimit } from "./pipelining.js";
import { disconnectIfUnread } from "./unread-answers.js";

/** Bytes of the request line and headers: enough for 5000 ids in a query string. */
export const maxHeaderSize = 128 * 1024;
export const maxConnections = 5_000;
/** How long a client may take to send its headers, in milliseconds. */
export const maxHeadersMs = 30_000;
/**
 * How long a connection may be idle between requests: longer than most clients keep one, so that they rarely send a
 * request on a connection that is closing.
 */
export const maxKeepAliveMs = 30_000;

/**
 * Creates an HTTP server whose errors all have one format, including those that Node would send without a body.
 *
 * A listener may respond before it has read the body: the server then discards the rest, so that the client receives the response.
 * A client gets 408 if its headers take longer than 30 seconds, and is disconnected if it stops reading a response for that long, or
 * sends many requests before it has their responses. Listeners should read bodies through `receiveBody`, which limits how slowly a
 * body may arrive.
 */
export function createEnvelopeServer(listener: RequestListener, format: FormatError): Server {
  const options = {
    requireHostHeader: false,
    maxHeaderSize,
    headersTimeout: maxHeadersMs,
    keepAliveTimeout: maxKeepAliveMs,
    // An upload has no total time limit: `receiveBody` requires progress instead.
    requestTimeout: 0,
    connectionsCheckingInterval: 5_000,
  };
  const mayServe = createPipeliningLimit();
  const server = createServer(options, (request, response) => {
    if (!mayServe(request, response)) return;
    disconnectIfUnread(response);
    const problem = hostProblem(request);
    if (problem !== undefined) return refuse(response, 400, format(problem));
    listener(request, response);
  });
  server.maxConnections = maxConnections;
  lingerAfterAnswers(server);
  continueWhenRead(server);
  refuseMalformed(server, format);
  return server;
}

function refuse(response: ServerResponse, status: number, { type, text }: FormattedError): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    Connection: "close",
  });
  response.end(text);
}
