import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { continueWhenRead, lingerAfterAnswers } from "../../http/early-answers.js";
import { hostProblem, refuseMalformed } from "../../http/malformed-requests.js";
import {
  type ConnectionLimits,
  createDeadline,
  type Deadline,
  defaultConnectionLimits,
  limitSession,
} from "./connection-limits.js";

/** Handles a request of HTTP/1.1 or HTTP/2. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Handles an HTTP/2 stream; or leaves it untouched and returns false. */
export type TakeStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;

/** Serves HTTP on connections that the caller accepts. */
export interface EitherHttp {
  /** Takes over a connection. */
  readonly accept: (socket: Socket) => void;
  /** Closes idle connections at once, busy ones after their last request, and all others after the grace period. */
  readonly close: () => void;
}

/** The start of the HTTP/2 preface, `PRI * HTTP/2.0`. No HTTP/1.1 method begins with these three letters. */
const preface = "PRI";
const graceMs = 2_000;

/**
 * Serves HTTP/1.1 and HTTP/2 on the same port, and distinguishes them by the first bytes of a connection.
 *
 * gRPC needs HTTP/2, curl and browsers send HTTP/1.1; without TLS they cannot negotiate, and none of Node's servers supports both.
 * `takeStream` is offered each HTTP/2 stream first; the handler gets the others.
 *
 * Enforces `limits` itself, because Node limits the time of requests only in servers that listen themselves.
 */
export function createEitherHttp(
  handler: Handler,
  takeStream: TakeStream,
  limits: ConnectionLimits = defaultConnectionLimits,
): EitherHttp {
  const http1 = createHttp1Server(
    { keepAliveTimeout: limits.idleMs, requireHostHeader: false },
    (request, response) => {
      const problem = hostProblem(request);
      if (problem === undefined) return handler(request, response);
      response.writeHead(400, { "Content-Type": "text/plain", Connection: "close" });
      response.end(`${problem}\n`);
    },
  );
  lingerAfterAnswers(http1);
  continueWhenRead(http1);
  refuseMalformed(http1, (msg) => ({ type: "text/plain", text: `${msg}\n` }));
  const http2 = createHttp2Server();
  // Never listens; converts HTTP/2 streams to requests.
  const requests = createHttp2Server(handler);
  const sockets = new Map<Socket, Http1State>();
  /** HTTP/1.1 connections without a pending request. */
  const idle = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let closing = false;

  http1.on("request", (request, response) => {
    const { socket } = request;
    const state = sockets.get(socket);
    if (state === undefined) return;
    const { deadline } = state;
    const cutOff = () => socket.destroy();
    // A pipelined request means that earlier requests have arrived completely.
    state.latest = request;
    idle.delete(socket);
    deadline.set(limits.requestMs, cutOff);
    request.once("end", () => {
      if (state.latest === request) deadline.clear();
    });
    response.once("close", () => {
      if (state.latest !== request) return;
      // Do not wait for the rest of a request that was answered early.
      state.latest = undefined;
      if (closing) socket.end();
      else if (!socket.destroyed) {
        idle.add(socket);
        deadline.set(limits.idleMs + limits.headersMs, cutOff);
      }
    });
  });
  http2.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, ...rest: unknown[]) => {
    if (!takeStream(stream, headers)) requests.emit("stream", stream, headers, ...rest);
  });
  http2.on("session", (session) => {
    limitSession(session, limits);
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });

  function accept(socket: Socket): void {
    if (closing || sockets.size >= limits.connections) {
      socket.destroy();
      return;
    }
    const deadline = createDeadline();
    deadline.set(limits.headersMs, () => socket.destroy());
    sockets.set(socket, { deadline });
    idle.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      deadline.clear();
      sockets.delete(socket);
      idle.delete(socket);
    });
    detectProtocol(socket, (isHttp2) => {
      if (isHttp2) {
        idle.delete(socket);
        // The session has its own deadlines.
        deadline.clear();
      }
      (isHttp2 ? http2 : http1).emit("connection", socket);
    });
  }

  function close(): void {
    closing = true;
    for (const socket of idle) socket.destroy();
    for (const session of sessions) session.close();
    setTimeout(() => {
      for (const socket of sockets.keys()) socket.destroy();
    }, graceMs).unref();
  }

  return { accept, close };
}

/** The state of an HTTP/1.1 connection. */
interface Http1State {
  readonly deadline: Deadline;
  latest?: IncomingMessage | undefined;
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
