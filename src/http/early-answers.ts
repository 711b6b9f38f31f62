import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How much of a request the server reads and discards after it has responded. */
export interface LingerLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
  /** How long the client may send nothing. */
  readonly maxIdleMs: number;
}

/** Enough for a large upload in one request. */
export const defaultLingerLimits: LingerLimits = { maxBytes: 128 * 1024 * 1024, maxMs: 30_000, maxIdleMs: 5_000 };

/** How often the limits are checked. */
const countEveryMs = 50;

/**
 * Makes a server keep reading a request after an early response, so that the client receives the response: closing a connection with
 * unread data resets it, and a reset discards data that the client has not read yet (RFC 9112, section 9.6). Closes the connection
 * when a limit is exceeded.
 */
export function lingerAfterAnswers(server: Pick<Server, "on">, limits: LingerLimits = defaultLingerLimits): void {
  const lingering = new WeakMap<Socket, Promise<void>>();
  const known = new WeakSet<Socket>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Node closes a connection through this function after the last response is written.
    if (!known.has(socket)) {
      known.add(socket);
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => void (lingering.get(socket) ?? Promise.resolve()).then(destroySoon);
    }
    // Must run before Node's own listener, which closes the connection.
    response.prependOnceListener("finish", () => {
      if (!request.complete && !socket.destroyed) lingering.set(socket, dropRest(request, socket, limits));
    });
  });
}

/** Resolves when the request is complete or the client has disconnected. Closes the connection when a limit is exceeded. */
function dropRest(request: IncomingMessage, socket: Socket, limits: LingerLimits): Promise<void> {
  const { maxBytes, maxMs, maxIdleMs } = limits;
  const start = socket.bytesRead;
  const startedAt = performance.now();
  let last = { bytes: start, at: startedAt };
  // The handler has stopped reading, and a remaining listener would pause the stream.
  request.removeAllListeners("data");
  request.removeAllListeners("readable");
  request.on("error", () => {});
  request.resume();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = { bytes: socket.bytesRead, at: performance.now() };
      if (now.bytes > last.bytes) last = now;
      const isOver = now.bytes - start > maxBytes || now.at - startedAt > maxMs || now.at - last.at > maxIdleMs;
      if (isOver) socket.destroy();
      if (isOver || request.complete || request.destroyed) end();
    }, countEveryMs);
    timer.unref();
    function end(): void {
      clearInterval(timer);
      resolve();
    }
    request.once("end", end);
    request.once("close", end);
  });
}

/**
 * Makes a server send `100 Continue` only when the body of a request with `Expect: 100-continue` is first read. A request that is
 * refused because of its headers is answered without its body (RFC 9110, section 10.1.1).
 */
export function continueWhenRead(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read;
    // Every way of reading a stream calls this function.
    request._read = function (size) {
      request._read = read;
      if (!response.headersSent) response.writeContinue();
      read.call(this, size);
    };
    server.emit("request", request, response);
  });
}
