import { createServer, type RequestListener, type Server } from "node:http";
import { continueWhenRead, lingerAfterAnswers } from "../../http/early-answers.js";
import { type FormatError, refuseMalformed } from "../../http/malformed-requests.js";
import { createPipeliningLimit } from "../../http/pipelining.js";
import { maxHeaderBytes } from "./forwarder-limits.js";

const maxConnections = 5_000;
/** How long a client may take to send its headers, in milliseconds. */
const maxHeadersMs = 30_000;
/** How long a connection may be idle between requests. */
const maxKeepAliveMs = 30_000;

/** Creates the HTTP server of a proxy. Bodies have no time limit here, because the forwarder has one. */
export function createProxyServer(listener: RequestListener, formatError: FormatError): Server {
  const mayServe = createPipeliningLimit();
  const server = createServer(
    {
      // The server decides what is too large.
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: maxHeadersMs,
      keepAliveTimeout: maxKeepAliveMs,
      requestTimeout: 0,
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false,
    },
    (request, response) => {
      if (mayServe(request, response)) listener(request, response);
    },
  );
  server.maxConnections = maxConnections;
  lingerAfterAnswers(server);
  continueWhenRead(server);
  refuseMalformed(server, formatError);
  return server;
}
