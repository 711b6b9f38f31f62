import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  type Http2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { connect } from "node:net";
import { type BodyRecord, createBodyKeeper } from "./capture-body.js";
import type { ForwarderOptions } from "./create-forwarder.js";
import { SilenceError } from "./deadline.js";
import { createOwnName, hasPassed } from "./forwarded-headers.js";
import type { ForwarderLimits } from "./forwarder-limits.js";
import { attempt, describeForwardingError, LoopError, MalformedAnswerError } from "./forwarding-errors.js";
import type { RecordedExchange } from "./traffic.js";

/** The server that HTTP/2 streams are sent to, and how they are treated. */
export interface StreamForwarderOptions extends Pick<ForwarderOptions, "origin" | "socketPath" | "onExchange"> {
  /** Responds to a stream whose server cannot be reached. */
  readonly refuse: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, reason: string) => void;
  readonly limits: ForwarderLimits;
}

/** Forwards HTTP/2 streams to one server. */
export interface StreamForwarder {
  readonly handle: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
  /** Closes the connections to the server. */
  readonly close: () => void;
}

/** A stream on its way. */
interface Passage {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly sent: BodyRecord;
  readonly received: BodyRecord;
  readonly startedAt: number;
  /** The head of the response. */
  answer?: { readonly status: number; readonly headers: Record<string, string> } | undefined;
  trailers?: IncomingHttpHeaders;
  /** The trailers of the request. */
  sentTrailers?: IncomingHttpHeaders;
  /** Whether the whole request has arrived. */
  isReceived: boolean;
  /** Whether the whole response was passed on. */
  isAnswered: boolean;
  /** Whether the proxy responded in place of the server. */
  isRefused: boolean;
  /** Whether the exchange was reported. */
  isFinished: boolean;
  interruption?: string;
  malformed?: string;
}

/** How long a client may keep sending after it has its response. */
const maxClosingMs = 1_000;

/**
 * Creates a forwarder of HTTP/2 streams. Each connection of a client has its own connection to the server. Data goes
 * both ways as it arrives, only as fast as its reader takes it. Passes on trailers and the codes of reset streams, so
 * cancelling works as it does without a proxy. Replaces `:authority`.
 */
export function createStreamForwarder(options: StreamForwarderOptions): StreamForwarder {
  const { origin, socketPath, onExchange, refuse, limits } = options;
  const bodies = createBodyKeeper(limits.maxHeldBytes);
  const ownName = createOwnName();
  const sessions = new Map<ServerHttp2Session, ClientHttp2Session>();

  function sessionFor(client: ServerHttp2Session): ClientHttp2Session {
    const known = sessions.get(client);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = connectHttp2(origin, {
      // Nobody would listen for the errors of a pushed stream.
      settings: { enablePush: false },
      ...(socketPath === undefined ? {} : { createConnection: () => connect(socketPath) }),
    });
    // Each stream reports the error to its client.
    session.on("error", () => {});
    session.setTimeout(limits.maxConnectMs, () => {
      if (!session.connecting) return;
      session.destroy(new Error(`it did not accept the connection within ${limits.maxConnectMs / 1000} seconds`));
    });
    if (known === undefined) {
      client.once("close", () => {
        sessions.get(client)?.destroy();
        sessions.delete(client);
      });
    }
    sessions.set(client, session);
    return session;
  }

  function handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const passage: Passage = {
      stream,
      headers,
      sent: bodies.open(limits.maxRequestBytes),
      received: bodies.open(limits.maxResponseBytes),
      startedAt: Date.now(),
      isReceived: stream.endAfterHeaders,
      isAnswered: false,
      isRefused: false,
      isFinished: false,
    };
    stream.on("error", () => {});
    stream.once("close", () => {
      if (!passage.isAnswered && !passage.isRefused) passage.interruption ??= "the client cancelled the call";
      finish(passage);
    });
    const { session } = stream;
    if (session === undefined || session.type !== constants.NGHTTP2_SESSION_SERVER) return void stream.destroy();
    attempt(
      () => {
        if (hasPassed(headers.via, ownName)) throw new LoopError();
        const outgoing = sessionFor(session as ServerHttp2Session).request(forwarded(headers), {
          endStream: stream.endAfterHeaders,
          waitForTrailers: !stream.endAfterHeaders,
        });
        connectStreams(passage, outgoing);
      },
      (error) => fail(passage, error),
    );
  }

  function finish(passage: Passage): void {
    if (passage.isFinished) return;
    passage.isFinished = true;
    onExchange(toExchange(passage));
    passage.sent.release();
    passage.received.release();
  }

  /** Notes that the response is complete. Stops a client that still sends, as a server without a proxy would. */
  function answered(passage: Passage): void {
    const { stream } = passage;
    passage.isAnswered = true;
    setImmediate(() => {
      if (stream.readableEnded || stream.destroyed) return;
      finish(passage);
      stream.unpipe();
      stream.close(constants.NGHTTP2_NO_ERROR);
      stream.resume();
      setTimeout(() => stream.destroy(), maxClosingMs).unref();
    });
  }

  function connectStreams(passage: Passage, outgoing: ClientHttp2Stream): void {
    const { stream, sent, received } = passage;
    let failure: Error | undefined;
    outgoing.setTimeout(limits.maxSilenceMs, () => {
      failure = new SilenceError(`it sent nothing for ${limits.maxSilenceMs / 1000} seconds`);
      outgoing.close(constants.NGHTTP2_CANCEL);
    });
    if (!stream.endAfterHeaders) {
      stream.on("data", (piece: Buffer) => sent.add(piece));
      stream.once("end", () => {
        passage.isReceived = true;
      });
      stream.once("trailers", (trailers: IncomingHttpHeaders) => {
        passage.sentTrailers = trailers;
      });
      outgoing.once("wantTrailers", () => {
        if (!outgoing.destroyed) sendTrailers(outgoing, passage.sentTrailers);
      });
      stream.pipe(outgoing);
    }
    stream.once("close", () => {
      if (!outgoing.closed) outgoing.close(stream.rstCode || constants.NGHTTP2_CANCEL);
    });
    outgoing.on("error", (error) => {
      failure ??= error;
    });
    outgoing.once("response", (answer, flags) => {
      attempt(
        () => passAnswer(answer, flags),
        (error) => {
          fail(passage, error);
          outgoing.close(constants.NGHTTP2_CANCEL);
        },
      );
    });
    function passAnswer(answer: IncomingHttpHeaders & IncomingHttpStatusHeader, flags: number): void {
      passage.answer = { status: Number(answer[":status"]), headers: withoutPseudo(answer) };
      if (stream.destroyed) return;
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      respond(stream, answer, isWhole);
      if (isWhole) return void answered(passage);
      stream.once("wantTrailers", () => {
        sendTrailers(stream, passage.trailers);
        answered(passage);
      });
      outgoing.on("data", (piece: Buffer) => received.add(piece));
      outgoing.once("end", () => stream.end());
      outgoing.pipe(stream, { end: false });
    }
    outgoing.once("trailers", (trailers) => {
      passage.trailers = trailers;
    });
    outgoing.once("close", () => {
      stream.unpipe(outgoing);
      if (stream.destroyed || stream.closed) return;
      if (passage.answer === undefined) return fail(passage, failure ?? resetError(outgoing.rstCode));
      if (outgoing.readableEnded && outgoing.rstCode === constants.NGHTTP2_NO_ERROR) return;
      passage.interruption ??= failure instanceof SilenceError ? failure.message : "the server broke off its response";
      stream.close(outgoing.rstCode || constants.NGHTTP2_INTERNAL_ERROR);
    });
  }

  function fail(passage: Passage, error: Error): void {
    if (passage.isRefused) return;
    passage.isRefused = true;
    const where = socketPath === undefined ? origin : `unix:${socketPath}`;
    const { reason, malformed } = describeForwardingError(error, where);
    if (malformed === undefined) passage.interruption ??= reason;
    else passage.malformed ??= malformed;
    passage.answer = undefined;
    if (!passage.stream.destroyed) refuse(passage.stream, passage.headers, reason);
  }

  return {
    handle,
    close: () => {
      for (const session of sessions.values()) session.destroy();
      sessions.clear();
    },
  };

  function forwarded(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
    const { ":authority": _, host: __, ...others } = headers;
    const via = [headers.via, `2.0 ${ownName}`].filter((one) => one !== undefined).join(", ");
    return { ...endToEnd(others), via, ":authority": socketPath === undefined ? new URL(origin).host : "localhost" };
  }
}

function resetError(code: number | undefined): Error {
  return new Error(`it reset the call with the HTTP/2 code ${code ?? "unknown"}`);
}

/** Headers that belong to a connection of HTTP/1.1 (RFC 9113, section 8.2.2), but that Node's HTTP/2 receives. It sends none of them. */
function endToEnd<Headers extends IncomingHttpHeaders>({ "http2-settings": _, ...others }: Headers) {
  return others;
}

/** Passes on the head of a response. Throws a `MalformedAnswerError` if no valid response has such a head. */
function respond(
  stream: ServerHttp2Stream,
  answer: IncomingHttpHeaders & IncomingHttpStatusHeader,
  isWhole: boolean,
): void {
  const status = Number(answer[":status"]);
  if (status < 200)
    throw new MalformedAnswerError(`sent status ${String(status).padStart(3, "0")}, which no final response has`);
  try {
    if (isWhole) stream.respond(endToEnd(answer), { endStream: true, sendDate: false } as object);
    else stream.respond(endToEnd(answer), { waitForTrailers: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedAnswerError(`sent a response that cannot be passed on: ${reason}`);
  }
}

/** Passes on trailers. */
function sendTrailers(stream: Http2Stream, trailers: IncomingHttpHeaders = {}): void {
  try {
    stream.sendTrailers(withoutPseudo(endToEnd(trailers)));
  } catch {
    // Node refuses to send them. Without trailers, the stream ends.
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

function withoutPseudo(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name.startsWith(":") || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

function toExchange(passage: Passage): RecordedExchange {
  const { headers, sent, received, startedAt, isReceived, answer, trailers, sentTrailers } = passage;
  const { interruption, malformed } = passage;
  return {
    startedAt,
    endedAt: Date.now(),
    request: {
      method: headers[":method"] ?? "GET",
      target: headers[":path"] ?? "/",
      headers: withoutPseudo(headers),
      body: isReceived ? sent.content() : undefined,
      bodyBytes: sent.bytes(),
      ...(sentTrailers === undefined ? {} : { trailers: withoutPseudo(sentTrailers) }),
    },
    ...(answer === undefined
      ? {}
      : {
          response: {
            ...answer,
            body: received.content(),
            bodyBytes: received.bytes(),
            ...(trailers === undefined ? {} : { trailers: withoutPseudo(trailers) }),
          },
        }),
    ...(interruption === undefined ? {} : { interruption }),
    ...(malformed === undefined ? {} : { malformed }),
  };
}
