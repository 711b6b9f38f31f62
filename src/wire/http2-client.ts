import { type ClientHttp2Stream, constants } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalClientFn, UniversalClientRequest, UniversalClientResponse } from "@connectrpc/connect/protocol";
import {
  errorCodeName,
  type Http2Connection,
  Http2ViolationError,
  type OpenSocket,
  openHttp2Connection,
} from "./http2-connection.js";
import { receive } from "./http2-response.js";

/** Sends requests over HTTP/2. */
export interface Http2Client {
  readonly httpClient: UniversalClientFn;
  /** Closes the connections. Pending requests fail; a later request connects again. */
  readonly close: () => void;
}

/** How a client connects. */
export interface Http2ClientOptions {
  /** Whether each request has a connection of its own, so that none is lost when the server closes that of another. Defaults to false. */
  readonly connectionPerCall?: boolean | undefined;
}

/**
 * How often a request is sent that the server says it did not process. All attempts but the first have a connection of their own, where no
 * other request is in the way.
 */
export const maxHttp2Attempts = 3;

/** Connections without a request are closed after this time. */
export const maxIdleMs = 15 * 60 * 1000;

/**
 * Creates a client of an origin, which shares one connection among its requests by default. Each promise settles when the signal of its request aborts, or
 * when its stream or connection ends, whatever the server sends.
 *
 * A request that the server did not process is sent again, as gRPC does: its stream was refused, or is above the last one of a GOAWAY (RFC 9113,
 * section 8.7). No other request is.
 */
export function createHttp2Client(
  origin: string,
  open: OpenSocket,
  { connectionPerCall = false }: Http2ClientOptions = {},
): Http2Client {
  const connections = new Set<Http2Connection>();
  let shared: Http2Connection | undefined;

  function connect(): Http2Connection {
    const connection = openHttp2Connection(origin, open);
    connections.add(connection);
    connection.session.once("close", () => connections.delete(connection));
    connection.session.setTimeout(maxIdleMs, () => connection.session.close());
    return connection;
  }

  function sharedConnection(): Http2Connection {
    if (shared === undefined || !isUsable(shared)) shared = connect();
    return shared;
  }

  const httpClient: UniversalClientFn = async (request) => {
    const pieces = repeatable(request.body);
    for (let attempt = 1; ; attempt++) {
      const isAlone = connectionPerCall || attempt > 1;
      try {
        return await sendRequest(request, pieces(), isAlone ? connect() : sharedConnection(), isAlone);
      } catch (error) {
        if (!(error instanceof UnprocessedError)) throw error;
        if (attempt === maxHttp2Attempts)
          throw new ConnectError(
            `the server refused the call with the HTTP/2 code REFUSED_STREAM, ${attempt} times in a row`,
            Code.Unavailable,
            undefined,
            undefined,
            error,
          );
      }
    }
  };
  return {
    httpClient,
    close: () => {
      for (const { session } of connections) session.destroy(undefined, constants.NGHTTP2_CANCEL);
      shared = undefined;
    },
  };
}

/** The server did not process a request. */
class UnprocessedError extends Error {}

/** The requests that are under way on each connection. */
const pending = new WeakMap<Http2Connection, number>();

function count(connection: Http2Connection, change: 1 | -1): number {
  const all = (pending.get(connection) ?? 0) + change;
  pending.set(connection, all);
  connection.keepAlive(all > 0);
  return all;
}

function sendRequest(
  { url, method, header, signal }: UniversalClientRequest,
  body: AsyncIterable<Uint8Array>,
  connection: Http2Connection,
  isAlone: boolean,
): Promise<UniversalClientResponse> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  const { session } = connection;
  const { pathname, search } = new URL(url);
  let stream: ClientHttp2Stream;
  try {
    stream = session.request({ ...Object.fromEntries(header), ":method": method, ":path": `${pathname}${search}` });
  } catch (error) {
    const isOver = session.closed || session.destroyed;
    return Promise.reject(isOver ? new UnprocessedError() : ConnectError.from(error));
  }
  count(connection, 1);
  const received = receive(stream);
  let failure: Error | undefined;
  const onAbort = () => {
    failure ??= abortError(signal);
    stream.close(constants.NGHTTP2_CANCEL);
    received.end(failure);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  stream.on("error", (error) => {
    failure ??= error;
  });
  stream.once("close", () => {
    signal?.removeEventListener("abort", onAbort);
    // What ended the connection may become known after this stream has closed.
    setImmediate(() => {
      if (count(connection, -1) === 0 && isAlone) session.close();
      const isRefused = !received.hasBegun() && !signal?.aborted && isUnprocessed(stream, connection);
      if (received.isWhole()) received.end(undefined);
      else if (isRefused) received.end(new UnprocessedError());
      else received.end(toConnectError(endOfStream(stream, connection, failure)));
    });
  });
  writeBody(stream, body).catch((error: Error) => {
    failure ??= ConnectError.from(error);
    stream.close(constants.NGHTTP2_CANCEL);
  });
  return received.response;
}

function abortError(signal: AbortSignal | undefined): ConnectError {
  const { reason } = signal ?? {};
  return reason instanceof ConnectError ? reason : ConnectError.from(reason, Code.Canceled);
}

/** Whether a connection takes another request. */
export function isUsable({ session, hasEnded }: Http2Connection): boolean {
  return !session.closed && !session.destroyed && !hasEnded();
}

/** Whether the server has not processed a request without a response (RFC 9113, section 8.7). */
export function isUnprocessed({ id, rstCode }: ClientHttp2Stream, connection: Http2Connection): boolean {
  const { lastStreamId = Number.POSITIVE_INFINITY } = connection.goAway() ?? {};
  return rstCode === constants.NGHTTP2_REFUSED_STREAM || lastStreamId < (id ?? Number.POSITIVE_INFINITY);
}

/** Why a stream ended early. `failure` is its own error. */
export function endOfStream(
  { rstCode = constants.NGHTTP2_NO_ERROR }: ClientHttp2Stream,
  connection: Http2Connection,
  failure: NodeJS.ErrnoException | undefined,
): Error {
  const goAway = connection.goAway();
  if (failure?.code === "ERR_HTTP2_SESSION_ERROR" && goAway !== undefined)
    return new StreamEndError("closed the connection", goAway.code);
  if (failure?.code === "ERR_HTTP2_ERROR" && connection.isHttp2())
    return new Http2ViolationError(`broke HTTP/2: ${failure.message}`);
  if (failure !== undefined && failure.code !== "ERR_HTTP2_STREAM_ERROR") return failure;
  if (connection.hasEnded())
    return Object.assign(new Error("the server closed the connection"), { code: "ECONNRESET" });
  return new StreamEndError(
    rstCode === constants.NGHTTP2_NO_ERROR ? "ended the call without a response" : "reset the call",
    rstCode,
  );
}

/** The server ended a call. The message continues a sentence about the server. */
export class StreamEndError extends Error {
  override readonly name = "StreamEndError";

  constructor(
    text: string,
    /** The error code of HTTP/2. */
    readonly rstCode: number,
  ) {
    super(rstCode === constants.NGHTTP2_NO_ERROR ? text : `${text} with the HTTP/2 code ${errorCodeName(rstCode)}`);
  }
}

function toConnectError(cause: Error): ConnectError {
  if (cause instanceof ConnectError) return cause;
  const isEnd = cause instanceof StreamEndError;
  const code = isEnd
    ? (resetCodes.get(cause.rstCode) ?? Code.Internal)
    : cause instanceof Http2ViolationError
      ? Code.Internal
      : Code.Unavailable;
  const text = isEnd || cause instanceof Http2ViolationError ? `the server ${cause.message}` : cause.message;
  return new ConnectError(text, code, undefined, undefined, cause);
}

/** The codes of gRPC for those of HTTP/2. Source: gRPC over HTTP2, "HTTP2 Transport Mapping", "Errors". */
const resetCodes: ReadonlyMap<number, Code> = new Map([
  [constants.NGHTTP2_REFUSED_STREAM, Code.Unavailable],
  [constants.NGHTTP2_CANCEL, Code.Canceled],
  [constants.NGHTTP2_ENHANCE_YOUR_CALM, Code.ResourceExhausted],
  [constants.NGHTTP2_INADEQUATE_SECURITY, Code.PermissionDenied],
]);

async function writeBody(stream: ClientHttp2Stream, body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of body) {
    if (stream.destroyed || stream.closed) return;
    if (!stream.write(piece)) await drained(stream);
  }
  if (!stream.destroyed && !stream.closed) stream.end();
}

function drained(stream: ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("drain", resolve);
    stream.once("close", resolve);
  });
}

/** Makes a body that can be read again from its start. Calls of RPCs send one message, which is held anyway. */
function repeatable(body: AsyncIterable<Uint8Array> | undefined): () => AsyncIterable<Uint8Array> {
  const source = body?.[Symbol.asyncIterator]();
  const read: Promise<IteratorResult<Uint8Array>>[] = [];
  return async function* () {
    for (let index = 0; source !== undefined; index++) {
      read[index] ??= source.next();
      const piece = await read[index];
      if (piece === undefined || piece.done) return;
      yield piece.value;
    }
  };
}
