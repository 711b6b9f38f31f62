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
  limitSession,
  usualLimits,
} from "./connection-limits.js";

/** Answers a request of HTTP/1.1 or HTTP/2. */
export type Handler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Answers a stream of HTTP/2, or leaves it untouched and says false. */
export type TakeStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;

/** Speaks HTTP on connections that somebody else accepts. */
export interface EitherHttp {
  /** Takes over a connection. */
  readonly accept: (socket: Socket) => void;
  /** Ends idle connections at once, busy ones after their last request, and all that are left after the grace period. */
  readonly close: () => void;
}

/** How a client of HTTP/2 begins: `PRI * HTTP/2.0`. No method of HTTP/1.1 begins with these three letters. */
const preface = "PRI";
const graceMs = 2_000;

/**
 * Tells HTTP/1.1 and HTTP/2 apart by the first bytes of a connection.
 *
 * Without TLS there is no negotiation, and none of Node's servers speaks both: gRPC needs HTTP/2, curl and browsers send HTTP/1.1.
 * Streams of HTTP/2 are first offered to `takeStream`; the handler gets those that it leaves.
 *
 * Node limits the time of requests only in servers that listen themselves, so that is done here: clients that do not get on are
 * cut off, and so are those that are too many.
 */
export function createEitherHttp(
  handler: Handler,
  takeStream: TakeStream,
  limits: ConnectionLimits = usualLimits,
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
  // It has no connections of its own; it makes requests of the streams that it is told about.
  const requests = createHttp2Server(handler);
  const sockets = new Map<Socket, Http1State>();
  /** Connections without a request under way. Those of HTTP/2 know that themselves. */
  const idle = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let closing = false;

  http1.on("request", (request, response) => {
    const { socket } = request;
    const state = sockets.get(socket);
    if (state === undefined) return;
    const { deadline } = state;
    const cutOff = () => socket.destroy();
    // Requests may come before the answers to earlier ones; of those nothing is missing any more.
    state.latest = request;
    idle.delete(socket);
    deadline.set(limits.requestMs, cutOff);
    request.once("end", () => {
      if (state.latest === request) deadline.clear();
    });
    response.once("close", () => {
      if (state.latest !== request) return;
      // What is left of a request that was answered early is not awaited.
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
    readUntilTold(socket, (isHttp2) => {
      if (isHttp2) {
        idle.delete(socket);
        // The session has deadlines of its own.
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

/** What is awaited on a connection of HTTP/1.1. */
interface Http1State {
  readonly deadline: Deadline;
  latest?: IncomingMessage | undefined;
}

/** Reads as much as tells the two apart, and puts it back. */
function readUntilTold(socket: Socket, told: (isHttp2: boolean) => void): void {
  let head = Buffer.alloc(0);
  const read = () => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    head = Buffer.concat([head, chunk]);
    const start = head.toString("latin1", 0, preface.length);
    if (start.length < preface.length && preface.startsWith(start)) return;
    socket.off("readable", read);
    socket.unshift(head);
    told(start === preface);
  };
  socket.on("readable", read);
}
