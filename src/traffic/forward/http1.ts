import { Agent, type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import type { Socket } from "node:net";
import { endWith } from "./client-side.js";
import { countInterim, ForwardingError, silence } from "./errors.js";
import { endToEndHeaders, has } from "./headers.js";
import {
  type ForwardedRequest,
  type ForwarderLimits,
  maxHeaderBytes,
  type Sender,
  type ServerAddress,
  type ServerEvents,
  type ServerSide,
} from "./server-side.js";

/** Shorter than common servers keep an idle connection, so that requests rarely use one that the server is closing. */
export const maxIdleMs = 2_000;
/** How long the server may ignore `Expect: 100-continue` before the body is sent anyway (RFC 9110, section 10.1.1). */
export const maxContinueMs = 1_000;
/** Requests that may be sent again if an idle connection turned out to be closed (RFC 9110, section 9.2.2). */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const withBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Creates a sender over HTTP/1.1 with a pool of connections. */
export function createHttp1Sender({ origin, socketPath }: ServerAddress, limits: ForwarderLimits): Sender {
  const { protocol, hostname, port } = new URL(origin);
  const isTls = protocol === "https:";
  const pool = { keepAlive: true, maxSockets: limits.maxServerConnections, timeout: maxIdleMs };
  const agent = isTls ? new TlsAgent(pool) : new Agent(pool);
  const where =
    socketPath === undefined
      ? { hostname: hostname.replace(/^\[|\]$/g, ""), port: port || (isTls ? 443 : 80) }
      : { socketPath };

  function open({ method, path, headers, host, via, hasBody }: ForwardedRequest): ClientRequest {
    const isChunked = has(headers, "transfer-encoding");
    // Only a chunked body has trailers, and Node announces none for any other.
    const kept = endToEndHeaders(headers, (name) => name !== "host" && (name !== "trailer" || isChunked));
    const sent = [...kept, "Host", host, "Via", via];
    if (isChunked) sent.push("Transfer-Encoding", "chunked");
    // Otherwise Node would use chunked encoding.
    else if (!hasBody && withBody.has(method)) sent.push("Content-Length", "0");
    const options = { ...where, agent, method, path, headers: sent, setHost: false, maxHeaderSize: maxHeaderBytes };
    return (isTls ? httpsRequest : httpRequest)({ ...options, timeout: limits.maxSilenceMs });
  }

  function send(request: ForwardedRequest, events: ServerEvents): ServerSide {
    let outgoing = open(request);
    const countOne = countInterim();
    let mayRepeat = !request.hasBody && idempotent.has(request.method);
    listen();

    function listen(): void {
      limitSilence(outgoing, isTls, limits);
      const current = outgoing;
      current.on("information", ({ statusCode, headers }) => {
        const excess = countOne();
        if (excess === undefined) events.onInformation(statusCode, headers);
        else current.destroy(excess);
      });
      outgoing.once("response", (incoming) => {
        mayRepeat = false;
        incoming.once("error", () => events.onBroken());
        incoming.once("aborted", () => events.onBroken());
        events.onResponse({
          status: incoming.statusCode ?? 0,
          reason: incoming.statusMessage,
          headers: incoming.rawHeaders,
          body: incoming,
          trailers: () => incoming.rawTrailers,
          isWhole: false,
        });
      });
      outgoing.once("upgrade", (_incoming, socket) => {
        socket.destroy();
        events.onError(
          new ForwardingError("malformed", "sent status 101, although the request asks for no other protocol"),
        );
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        const isStale = outgoing.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? "");
        if (!isStale || !mayRepeat) return void events.onError(error);
        mayRepeat = false;
        outgoing = open(request);
        listen();
        outgoing.end();
      });
    }

    return {
      sink: outgoing,
      whenReady: (begin) => (request.expectsContinue ? awaitContinue(outgoing, begin) : begin()),
      end: (trailers) => endWith(outgoing, trailers()),
      cancel: () => {
        mayRepeat = false;
        outgoing.destroy();
      },
    };
  }

  return { send, close: () => agent.destroy() };
}

/** Destroys a request once it makes no progress. */
function limitSilence(outgoing: ClientRequest, isTls: boolean, limits: ForwarderLimits): void {
  let isConnecting = false;
  outgoing.once("socket", (socket: Socket) => {
    if (!socket.connecting) return;
    isConnecting = true;
    socket.setTimeout(limits.maxConnectMs);
    socket.once(isTls ? "secureConnect" : "connect", () => {
      isConnecting = false;
      socket.setTimeout(limits.maxSilenceMs);
    });
  });
  outgoing.once("timeout", () => outgoing.destroy(silence(isConnecting, limits)));
}

/** Begins to send a body when the server asks for it, or has been silent for a moment. */
function awaitContinue(outgoing: ClientRequest, begin: () => void): void {
  let hasBegun = false;
  const once = () => {
    if (!hasBegun) begin();
    hasBegun = true;
  };
  outgoing.once("continue", once);
  const waiting = setTimeout(once, maxContinueMs);
  for (const event of ["response", "close"]) outgoing.once(event, () => clearTimeout(waiting));
}
