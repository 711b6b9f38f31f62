import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { errorEnvelope } from "./error-envelope.js";
import { refuseMalformed } from "./refuse-malformed.js";

/** Bytes of a request line with its headers: 5000 ids fit into a query string. */
const maxHeaderSize = 128 * 1024;

/** Creates an HTTP server that answers in the envelope of the chat API even what Node would answer by itself, without one. */
export function createEnvelopeServer(listener: RequestListener): Server {
  const server = createServer({ requireHostHeader: false, maxHeaderSize }, (request, response) => {
    // RFC 9112, section 3.2.
    if (request.httpVersion === "1.1" && request.headers.host === undefined) {
      return refuse(response, 400, "A request of HTTP/1.1 must have a Host header");
    }
    listener(request, response);
  });
  // RFC 9110, section 10.1.1: any other expectation than 100-continue, which Node meets.
  server.on("checkExpectation", (_request, response: ServerResponse) => {
    refuse(response, 417, "The only expectation that is met is 100-continue");
  });
  server.on("clientError", refuseMalformed);
  return server;
}

function refuse(response: ServerResponse, status: number, msg: string): void {
  const body = JSON.stringify(errorEnvelope(msg));
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": body.length,
    Connection: "close",
  });
  response.end(body);
}
