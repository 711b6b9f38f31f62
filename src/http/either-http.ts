import {
  createServer as createHttp1Server,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { continueWhenRead, lingerAfterAnswers } from "./early-answers.js";

/** Handles a request of HTTP/1.1 or HTTP/2. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Time limits of clients, in milliseconds, and the maximum number of connections. */
export interface ConnectionLimits {
  /** From the connection to the end of the first headers, or to the start of HTTP/2. */
  readonly headersMs: number;
  /** From the start of a request to its end. */
  readonly requestMs: number;
  /** Without any data. An HTTP/2 connection may still complete its pending requests. */
  readonly idleMs: number;
  /** Open connections; further ones are closed at once. */
  readonly connections: number;
  /** Open requests of a connection over HTTP/2; further ones are refused, and too many of those end the connection. */
  readonly streams: number;
  /** Open requests over HTTP/2 of all connections; further ones get status 503. */
  readonly allStreams: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 300_000,
  connections: 1_000,
  streams: 128,
  allStreams: 4_096,
};

/** Streams over HTTP/2 that a connection may have refused, and invalid frames that it may send, before it ends. */
export const maxHttp2Faults = 100;
/** The header list of a request over HTTP/2, as RFC 9113 counts it (section 6.5.2). */
export const maxHttp2HeaderBytes = 32 * 1024;
/** What Node keeps for a connection over HTTP/2, in MiB. */
export const maxHttp2SessionMebibytes = 10;

/** A server of both versions of HTTP, which does not listen yet. */
export interface EitherHttp {
  readonly server: Server;
  /** Closes idle connections at once, busy ones after their last request, and all others after the grace period. */
  readonly close: () => Promise<void>;
}

/** The start of the HTTP/2 preface, `PRI * HTTP/2.0`. No HTTP/1.1 method begins with these three letters. */
const preface = "PRI";
const graceMs = 2_000;

/**
 * Serves HTTP/1.1 and HTTP/2 on the same port, and distinguishes them by the first bytes of a connection: gRPC needs HTTP/2, curl and
 * browsers send HTTP/1.1; without TLS they cannot negotiate, and none of Node's servers supports both. `http1` are further
 * options of the server of HTTP/1.1.
 */
export function createEitherHttp(
  handler: Handler,
  { limits = defaultConnectionLimits, http1 = {} }: { limits?: ConnectionLimits; http1?: ServerOptions } = {},
): EitherHttp {
  const { headersMs, requestMs, idleMs, connections, streams, allStreams } = limits;
  const server = createHttp1Server(
    {
      ...http1,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: Math.min(headersMs, 5_000),
    },
    handler,
  );
  server.maxConnections = connections;
  lingerAfterAnswers(server);
  continueWhenRead(server);
  const bounds = {
    settings: { maxConcurrentStreams: streams, maxHeaderListSize: maxHttp2HeaderBytes },
    maxSessionMemory: maxHttp2SessionMebibytes,
    // The types of Node lack these two.
    maxSessionInvalidFrames: maxHttp2Faults,
    maxSessionRejectedStreams: maxHttp2Faults,
  };
  const http2 = createHttp2Server(bounds);
  let openStreams = 0;
  const sessions = new Set<ServerHttp2Session>();
  http2.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(idleMs, () => session.close());
  });
  http2.on("request", (request, response) => {
    const { stream } = request;
    if (openStreams >= allStreams) return void response.writeHead(503).end();
    openStreams++;
    stream.once("close", () => openStreams--);
    limitRequest(stream, requestMs);
    handler(request, response);
  });

  const sockets = new Set<Socket>();
  /** Connections that have not sent enough to tell their protocol. */
  const undecided = new Set<Socket>();
  const [serveHttp1] = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const cutOff = () => socket.destroy();
    sockets.add(socket);
    undecided.add(socket);
    socket.on("error", cutOff);
    socket.once("close", () => {
      sockets.delete(socket);
      undecided.delete(socket);
    });
    socket.once("end", cutOff);
    socket.setTimeout(headersMs, cutOff);
    detectProtocol(socket, (isHttp2) => {
      socket.off("end", cutOff);
      socket.setTimeout(0, cutOff);
      undecided.delete(socket);
      // Node's server of HTTP/1.1 lets clients end their side first, its server of HTTP/2 does not.
      socket.allowHalfOpen = !isHttp2;
      if (isHttp2) http2.emit("connection", socket);
      else serveHttp1?.call(server, socket);
    });
  });

  let closed: Promise<void> | undefined;
  server.on("request", (_request, response) => {
    response.once("close", () => setImmediate(() => closed && server.closeIdleConnections()));
  });
  const close = () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of undecided) socket.destroy();
      for (const session of sessions) session.close();
      setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs).unref();
    });
    return closed;
  };
  return { server, close };
}

/** Cancels a stream of HTTP/2 whose request takes too long. Node has no such limit. */
function limitRequest(stream: ServerHttp2Stream, requestMs: number): void {
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestMs).unref();
  stream.once("end", () => clearTimeout(timer));
  stream.once("close", () => clearTimeout(timer));
}

/** Reads the first bytes of a connection to detect its protocol, and puts them back. */
function detectProtocol(socket: Socket, detected: (isHttp2: boolean) => void): void {
  let head = Buffer.alloc(0);
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    const start = head.toString("latin1", 0, preface.length);
    if (start.length < preface.length && preface.startsWith(start)) return;
    socket.off("readable", read);
    socket.unshift(head);
    detected(start === preface);
  };
  socket.on("readable", read);
}
