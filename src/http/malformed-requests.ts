import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The body of an error response, and its media type. */
export interface FormattedError {
  readonly type: string;
  readonly text: string;
}

/** Formats an error in a service's error format. */
export type FormatError = (msg: string) => FormattedError;

/** The latest request of a connection. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** How long a connection stays open after an error response, so that the client can read it. */
const lingerMs = 2_000;

/** Makes a server answer requests that Node hides from its listeners: malformed ones, slow headers, unknown expectations, and CONNECT. */
export function refuseMalformed(server: Server, format: FormatError): void {
  const answered = new WeakSet<Duplex>();
  const latest = new WeakMap<Duplex, Exchange>();

  /** Keeps a connection open for as long as its client needs to read what was sent. */
  function endSoon(socket: Duplex): void {
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    timer.unref();
    socket.once("close", () => clearTimeout(timer));
  }

  function answer(socket: Duplex, status: string, msg: string): void {
    // The parser reports an error for each further chunk.
    if (answered.has(socket)) return;
    answered.add(socket);
    const { type, text } = format(msg);
    const headers = `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
    socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${text}`);
    endSoon(socket);
  }

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
  });
  // RFC 9110, section 10.1.1.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
    const { type, text } = format("The only supported expectation is 100-continue");
    const headers = { "Content-Type": type, "Content-Length": Buffer.byteLength(text), Connection: "close" };
    response.writeHead(417, headers).end(text);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const exchange = latest.get(socket);
    if (!answered.has(socket) && (!socket.writable || error.code === "ECONNRESET")) socket.destroy();
    else if (exchange?.response.headersSent && !(exchange.request.complete && exchange.response.shouldKeepAlive)) {
      // The request is already answered. The client would take a second response for the response to its next request.
      answered.add(socket);
      socket.end();
      endSoon(socket);
    } else answer(socket, ...describe(error.code));
  });
  server.on("connect", (_request: IncomingMessage, socket) => {
    socket.on("error", () => socket.destroy());
    // Discard the tunnelled data that follows.
    socket.resume();
    answer(socket, "501 Not Implemented", "CONNECT is not supported: this server is not a proxy");
  });
}

function describe(code: string | undefined): [status: string, msg: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return ["431 Request Header Fields Too Large", "The headers are too large"];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["408 Request Timeout", "The request took too long to arrive"];
    default:
      return ["400 Bad Request", "The request is not HTTP/1.1"];
  }
}

/** The problem with the Host header of a request (RFC 9112, section 3.2). Undefined if the header is valid. */
export function hostProblem({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") count++;
  }
  if (count > 1) return "A request must have one Host header, not several";
  return count === 0 && httpVersion === "1.1" ? "A request of HTTP/1.1 must have a Host header" : undefined;
}
