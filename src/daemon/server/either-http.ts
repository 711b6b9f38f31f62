import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";

/** Answers a request of HTTP/1.1 or HTTP/2. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Speaks HTTP on connections that somebody else accepts. */
export interface EitherHttp {
  /** Takes over a connection. */
  readonly accept: (socket: Socket) => void;
  /** Ends idle connections at once, busy ones after their last request, and all that are left after the grace period. */
  readonly close: () => void;
}

/** How a client of HTTP/2 begins: `PRI * HTTP/2.0`. No method of HTTP/1.1 begins with these three letters. */
const preface = "PRI";
const firstBytesWithinMs = 10_000;
const graceMs = 2_000;

/**
 * Tells HTTP/1.1 and HTTP/2 apart by the first bytes of a connection.
 *
 * Without TLS there is no negotiation, and none of Node's servers speaks both: gRPC needs HTTP/2, curl and browsers send HTTP/1.1.
 */
export function createEitherHttp(handler: Handler): EitherHttp {
  const http1 = createHttp1Server(handler);
  const http2 = createHttp2Server(handler);
  const sockets = new Set<Socket>();
  /** Connections without a request under way. Those of HTTP/2 know that themselves. */
  const idle = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let closing = false;

  http1.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.once("close", () => {
      if (closing) socket.end();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  http2.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });

  function accept(socket: Socket): void {
    if (closing) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    idle.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      idle.delete(socket);
    });
    readUntilTold(socket, (isHttp2) => {
      if (isHttp2) idle.delete(socket);
      (isHttp2 ? http2 : http1).emit("connection", socket);
    });
  }

  function close(): void {
    closing = true;
    for (const socket of idle) socket.destroy();
    for (const session of sessions) session.close();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs).unref();
  }

  return { accept, close };
}

/** Reads as much as tells the two apart, and puts it back. */
function readUntilTold(socket: Socket, told: (isHttp2: boolean) => void): void {
  let head = Buffer.alloc(0);
  const giveUp = () => socket.destroy();
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    const start = head.toString("latin1", 0, preface.length);
    if (start.length < preface.length && preface.startsWith(start)) return;
    socket.off("readable", read);
    socket.off("timeout", giveUp);
    socket.setTimeout(0);
    socket.unshift(head);
    told(start === preface);
  };
  socket.setTimeout(firstBytesWithinMs, giveUp);
  socket.on("readable", read);
}
