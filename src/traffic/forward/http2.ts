import type { EventEmitter } from "node:events";
import {
  type ClientHttp2Session,
  connect as connectHttp2,
  constants,
  type Http2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { connect } from "node:net";
import { pairsOf, type RawHeaders } from "../recorded/recorded-exchange.js";
import { silence } from "./errors.js";
import type { ForwarderLimits, Sender, SentRequest, ServerAddress, ServerEvents, ServerSide } from "./server-side.js";

/** Creates a sender over HTTP/2. Each connection of a client has its own connection to the server. */
export function createHttp2Sender({ origin, socketPath }: ServerAddress, limits: ForwarderLimits): Sender {
  const sessions = new Map<EventEmitter, ClientHttp2Session>();

  function sessionFor({ connection }: SentRequest): ClientHttp2Session {
    const known = sessions.get(connection);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = connectHttp2(origin, {
      // Nobody would listen for the errors of a pushed stream.
      settings: { enablePush: false },
      ...(socketPath === undefined ? {} : { createConnection: () => connect(socketPath) }),
    });
    // Each stream reports the error to its client.
    session.on("error", () => {});
    session.setTimeout(limits.maxConnectMs, () => {
      if (session.connecting) session.destroy(silence(true, limits));
    });
    if (known === undefined) {
      connection.once("close", () => {
        sessions.get(connection)?.destroy();
        sessions.delete(connection);
      });
    }
    sessions.set(connection, session);
    return session;
  }

  function send(request: SentRequest, events: ServerEvents): ServerSide {
    const { method, path, headers, host, via, hasBody } = request;
    const head = { ...toObject([...headers, "via", via]), ":method": method, ":path": path, ":authority": host };
    const outgoing = sessionFor(request).request(head, { endStream: !hasBody, waitForTrailers: hasBody });
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
      if (!hasResponse)
        return void events.onError(failure ?? new Error(`it reset the call with the HTTP/2 code ${rstCode}`));
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
      for (const session of sessions.values()) session.destroy();
      sessions.clear();
    },
  };
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
