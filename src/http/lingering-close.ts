import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How much of a request is read and dropped once it has been answered. */
export interface LingerLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
  /** How long the client may send nothing. */
  readonly maxIdleMs: number;
}

/** Enough for the largest upload that fits into one request. */
export const usualLingerLimits: LingerLimits = { maxBytes: 128 * 1024 * 1024, maxMs: 30_000, maxIdleMs: 5_000 };

/** How often the bytes of a request that is dropped are counted. */
const countEveryMs = 50;

/**
 * Makes a server read on after it has answered a request early, so that the client gets the answer: closing a connection with unread
 * data resets it, and a reset discards what the client has not read yet (RFC 9112, section 9.6). Past the limits the connection is cut.
 */
export function lingerAfterAnswers(server: Pick<Server, "on">, limits: LingerLimits = usualLingerLimits): void {
  const lingering = new WeakMap<Socket, Promise<void>>();
  const known = new WeakSet<Socket>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Node ends a connection by this function, which is called when the last answer is written.
    if (!known.has(socket)) {
      known.add(socket);
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => void (lingering.get(socket) ?? Promise.resolve()).then(destroySoon);
    }
    // Before Node's own listener, which ends the connection.
    response.prependOnceListener("finish", () => {
      if (!request.complete && !socket.destroyed) lingering.set(socket, dropRest(request, socket, limits));
    });
  });
}

/** Resolves when the request is complete or its client gone; cuts the connection when it takes too long. */
function dropRest(request: IncomingMessage, socket: Socket, limits: LingerLimits): Promise<void> {
  const { maxBytes, maxMs, maxIdleMs } = limits;
  const start = socket.bytesRead;
  const startedAt = performance.now();
  let last = { bytes: start, at: startedAt };
  // Whoever began to read has stopped, and a listener that stays would hold the stream up.
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
