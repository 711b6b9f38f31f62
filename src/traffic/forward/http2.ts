import type { EventEmitter } from "node:events";
import {
  type ClientHttp2Stream,
  constants,
  type Http2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { endOfStream, isUnprocessed, isUsable } from "../../wire/http2-client.js";
import { type Http2Connection, Http2ViolationError, openHttp2Connection } from "../../wire/http2-connection.js";
import { openSocket } from "../../wire/open-socket.js";
import { parseRpcAddress } from "../../wire/rpc-address.js";
import { pairsOf, type RawHeaders } from "../recorded/recorded-exchange.js";
import { countInterim, silence } from "./errors.js";
import type {
  ForwardedRequest,
  ForwarderLimits,
  Sender,
  ServerAddress,
  ServerEvents,
  ServerSide,
} from "./server-side.js";

/** Creates a sender over HTTP/2. Each connection of a client has its own connection to the server. */
export function createHttp2Sender({ origin, socketPath }: ServerAddress, limits: ForwarderLimits): Sender {
  const where = socketPath === undefined ? parseRpcAddress(origin) : ({ kind: "socket", path: socketPath } as const);
  /** By connection of a client, the newest last. Those that the server closes may still have calls. */
  const connections = new Map<EventEmitter, Http2Connection[]>();

  function connectionFor({ connection: client }: ForwardedRequest): Http2Connection {
    const known = connections.get(client) ?? [];
    const newest = known.at(-1);
    if (newest !== undefined && isUsable(newest)) return newest;
    const connection = openHttp2Connection(origin, (signal) => openSocket(where, { signal }));
    const { session } = connection;
    const timer = setTimeout(() => {
      if (!connection.isHttp2()) session.destroy(silence(true, limits));
    }, limits.maxConnectMs);
    session.once("close", () => clearTimeout(timer));
    if (!connections.has(client))
      client.once("close", () => {
        closeAll(connections.get(client) ?? []);
        connections.delete(client);
      });
    connections.set(client, [...known.filter((one) => !one.session.destroyed), connection]);
    return connection;
  }

  function send(request: ForwardedRequest, events: ServerEvents): ServerSide {
    const { method, path, headers, host, via, hasBody } = request;
    const head = { ...toObject([...headers, "via", via]), ":method": method, ":path": path, ":authority": host };
    const connection = connectionFor(request);
    const outgoing = connection.session.request(head, { endStream: !hasBody, waitForTrailers: hasBody });
    let failure: Error | undefined;
    let hasResponse = false;
    let received: IncomingHttpHeaders = {};
    let trailers: () => RawHeaders = () => [];
    outgoing.setTimeout(limits.maxSilenceMs, () => {
      failure = silence(false, limits);
      outgoing.close(constants.NGHTTP2_CANCEL);
    });
    outgoing.on("error", (error) => {
      failure ??= error;
    });
    const countOne = countInterim();
    // Interim responses over HTTP/2 are not passed on.
    outgoing.on("headers", () => {
      const excess = countOne();
      if (excess === undefined || failure !== undefined) return;
      failure = excess;
      outgoing.close(constants.NGHTTP2_CANCEL);
    });
    outgoing.once("trailers", (given) => {
      received = given;
    });
    outgoing.once("wantTrailers", () => {
      if (!outgoing.destroyed) sendTrailers(outgoing, trailers());
    });
    outgoing.once("response", (answer, flags) => {
      hasResponse = true;
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      if (isWhole) outgoing.resume();
      events.onResponse({
        status: Number(answer[":status"]),
        headers: toRaw(answer),
        body: outgoing,
        trailers: () => toRaw(received),
        isWhole,
      });
    });
    outgoing.once("close", () => {
      const { rstCode = constants.NGHTTP2_NO_ERROR } = outgoing;
      // The number of the last processed stream may follow the end of this one.
      if (!hasResponse) return void setImmediate(() => endWithoutResponse(outgoing, connection, failure, events));
      if (failure instanceof Http2ViolationError) events.onError(failure);
      if (!outgoing.readableEnded || rstCode !== constants.NGHTTP2_NO_ERROR) events.onBroken(rstCode);
    });
    return {
      sink: outgoing,
      whenReady: (begin) => begin(),
      end: (given) => {
        trailers = given;
        if (hasBody) outgoing.end();
      },
      cancel: (code) => {
        if (!outgoing.closed) outgoing.close(code || constants.NGHTTP2_CANCEL);
      },
    };
  }

  return {
    send,
    close: () => {
      for (const all of connections.values()) closeAll(all);
    },
  };
}

function closeAll(connections: readonly Http2Connection[]): void {
  for (const { session } of connections) session.destroy();
}

/** Passes on that a server did not process a request, so that its client may repeat it (RFC 9113, section 8.7), or else why there is no response. */
function endWithoutResponse(
  stream: ClientHttp2Stream,
  connection: Http2Connection,
  failure: Error | undefined,
  events: ServerEvents,
): void {
  if (isUnprocessed(stream, connection)) events.onBroken(constants.NGHTTP2_REFUSED_STREAM);
  else events.onError(endOfStream(stream, connection, failure));
}

/** Passes on trailers. */
function sendTrailers(stream: Http2Stream, trailers: RawHeaders): void {
  try {
    stream.sendTrailers(toObject(trailers));
  } catch {
    // Node refuses to send them. Without trailers, the stream ends.
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

function toRaw(headers: IncomingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(":") ? [] : [value ?? []].flat().flatMap((one) => [name, one]),
  );
}

/** The headers without pseudo-headers, the host, and those of a connection of HTTP/1.1 that Node receives but refuses to send (RFC 9113, section 8.2.2). */
function toObject(raw: RawHeaders): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = {};
  for (const [spelt, value] of pairsOf(raw)) {
    const name = spelt.toLowerCase();
    if (!/^(?::.*|http2-settings|host)$/.test(name)) headers[name] = [...(headers[name] ?? []), value];
  }
  return Object.fromEntries(Object.entries(headers).map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}
