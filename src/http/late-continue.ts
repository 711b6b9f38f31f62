import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Makes a server ask for the body of a request with `Expect: 100-continue` when something begins to read it, and not before: a request
 * that is refused by its headers is answered without its body (RFC 9110, section 10.1.1).
 */
export function continueWhenRead(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read;
    // Streams call this whenever somebody wants data, in whichever way it is read.
    request._read = function (size) {
      request._read = read;
      if (!response.headersSent) response.writeContinue();
      read.call(this, size);
    };
    server.emit("request", request, response);
  });
}
