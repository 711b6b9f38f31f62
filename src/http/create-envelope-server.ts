import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errorEnvelope } from "./error-envelope.js";
import { hostProblem } from "./host-problem.js";
import { continueWhenRead } from "./late-continue.js";
import { lingerAfterAnswers } from "./lingering-close.js";
import { refuseMalformed } from "./refuse-malformed.js";

/** Bytes of a request line with its headers: 5000 ids fit into a query string. */
const maxHeaderSize = 128 * 1024;
const maxConnections = 5_000;
/** How long a connection may stand still while an answer is sent, in milliseconds. */
const maxIdleMs = 30_000;

/**
 * Creates an HTTP server that answers in the envelope of the chat API even where Node alone would answer without one.
 *
 * A request may be answered before its body was read: the rest is read and dropped, so that the client gets the answer. A client that
 * takes longer than 30 seconds over its headers gets 408; one that stops reading an answer for as long is cut off. Listeners read bodies
 * through `receiveBody`, which bounds the time of a body.
 */
export function createEnvelopeServer(listener: RequestListener): Server {
  const options = {
    requireHostHeader: false,
    maxHeaderSize,
    headersTimeout: maxIdleMs,
    // An upload may take as long as it makes progress, which `receiveBody` watches.
    requestTimeout: 0,
    connectionsCheckingInterval: 5_000,
  };
  const server = createServer(options, (request, response) => {
    response.setTimeout(maxIdleMs).on("timeout", cutUnreadAnswer);
    const problem = hostProblem(request);
    if (problem !== undefined) return refuse(response, 400, problem);
    listener(request, response);
  });
  server.maxConnections = maxConnections;
  lingerAfterAnswers(server);
  continueWhenRead(server);
  // RFC 9110, section 10.1.1.
  server.on("checkExpectation", (_request, response: ServerResponse) => {
    refuse(response, 417, "The only expectation that is met is 100-continue");
  });
  refuseMalformed(server, (msg) => ({ type: "application/json", text: JSON.stringify(errorEnvelope(msg)) }));
  return server;
}

/** A listener for `timeout` of a response, which is that of its connection. A handler that is still at work is left alone. */
function cutUnreadAnswer(this: ServerResponse, socket: Socket): void {
  if (this.headersSent) socket.destroy();
}

function refuse(response: ServerResponse, status: number, msg: string): void {
  const body = JSON.stringify(errorEnvelope(msg));
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  response.end(body);
}
