import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalClientFn, UniversalClientRequest, UniversalClientResponse } from "@connectrpc/connect/protocol";
import {
  errorCodeName,
  type Http2Connection,
  Http2ViolationError,
  type OpenSocket,
  openHttp2Connection,
} from "./http2-connection.js";

/** Sends requests over HTTP/2. */
export interface Http2Client {
  readonly httpClient: UniversalClientFn;
  /** Closes the connections. Pending requests fail; a later request connects again. */
  readonly close: () => void;
}

/**
 * How often a request is sent that the server says it did not process. All attempts but the first have a connection of their own, where no
 * other request is in the way.
 */
export const maxHttp2Attempts = 3;

/** Connections without a request are closed after this time. */
const maxIdleMs = 15 * 60 * 1000;

/**
 * Creates a client of an origin, which shares one connection among its requests. Each promise settles when the signal of its request aborts, or
 * when its stream or connection ends, whatever the server sends.
 *
 * A request that the server did not process is sent again, as gRPC does: its stream was refused, or is above the last one of a GOAWAY (RFC 9113,
 * section 8.7). No other request is.
 */
export function createHttp2Client(origin: string, open: OpenSocket): Http2Client {
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
    if (shared === undefined || shared.session.closed || shared.session.destroyed || shared.hasEnded())
      shared = connect();
    return shared;
  }

  const httpClient: UniversalClientFn = async (request) => {
    const pieces = repeatable(request.body);
    for (let attempt = 1; ; attempt++) {
      const connection = attempt === 1 ? sharedConnection() : connect();
      try {
        return await sendRequest(request, pieces(), connection, attempt > 1);
      } catch (error) {
        if (!(error instanceof UnprocessedError)) throw error;
        if (attempt === maxHttp2Attempts)
          throw new ConnectError(
            `${error.message}, ${attempt} times in a row`,
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
    return Promise.reject(isOver ? new UnprocessedError("the server closed the connection") : ConnectError.from(error));
  }
  count(connection, 1);
  let hasResponse = false;
  let failure: Error | undefined;
  const ended = new Promise<Error | undefined>((resolve) => {
    const onAbort = () => {
      failure ??= abortError(signal);
      stream.close(constants.NGHTTP2_CANCEL);
      resolve(failure);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    stream.on("error", (error) => {
      failure ??= error;
    });
    stream.once("close", () => {
      signal?.removeEventListener("abort", onAbort);
      // The number of the last stream may follow the end of this one.
      setImmediate(() => {
        if (count(connection, -1) === 0 && isAlone) session.close();
        resolve(describeEnd(stream, connection, failure, hasResponse));
      });
    });
  });
  writeBody(stream, body).catch((error: Error) => {
    failure ??= ConnectError.from(error);
    stream.close(constants.NGHTTP2_CANCEL);
  });
  const trailer = new Headers();
  stream.once("trailers", (given) => addHeaders(trailer, given));
  return new Promise((resolve, reject) => {
    stream.once("response", (given) => {
      hasResponse = true;
      const answered = addHeaders(new Headers(), given);
      resolve({ status: Number(given[":status"]), header: answered, body: readBody(stream, ended), trailer });
    });
    ended.then((error) =>
      reject(error ?? new ConnectError("the server ended the call without a response", Code.Internal)),
    );
  });
}

function abortError(signal: AbortSignal | undefined): ConnectError {
  const { reason } = signal ?? {};
  return reason instanceof ConnectError ? reason : ConnectError.from(reason, Code.Canceled);
}

/** Why a stream ended early; undefined if it did not. */
function describeEnd(
  stream: ClientHttp2Stream,
  connection: Http2Connection,
  failure: NodeJS.ErrnoException | undefined,
  hasResponse: boolean,
): Error | undefined {
  const { rstCode = constants.NGHTTP2_NO_ERROR, id } = stream;
  if (failure instanceof ConnectError) return failure;
  const goAway = connection.goAway();
  const isAbove = goAway !== undefined && goAway.lastStreamId < (id ?? Number.POSITIVE_INFINITY);
  if (!hasResponse && (isAbove || rstCode === constants.NGHTTP2_REFUSED_STREAM))
    return new UnprocessedError("the server refused the call with the HTTP/2 code REFUSED_STREAM");
  if (failure?.code === "ERR_HTTP2_ERROR" && connection.isHttp2())
    return wrapped(new Http2ViolationError(`broke HTTP/2: ${failure.message}`));
  if (failure?.code === "ERR_HTTP2_SESSION_ERROR" && goAway !== undefined)
    return reset(`closed the connection with the HTTP/2 code ${errorCodeName(goAway.code)}`, goAway.code);
  if (failure !== undefined && failure.code !== "ERR_HTTP2_STREAM_ERROR") return wrapped(failure);
  if (connection.hasEnded())
    return rstCode === constants.NGHTTP2_NO_ERROR && hasResponse ? undefined : wrapped(connectionEnded());
  if (rstCode === constants.NGHTTP2_NO_ERROR) return undefined;
  return reset(`reset the call with the HTTP/2 code ${errorCodeName(rstCode)}`, rstCode);
}

function reset(text: string, code: number): ConnectError {
  return new ConnectError(`the server ${text}`, resetCodes.get(code) ?? Code.Internal);
}

/** The codes of gRPC for those of HTTP/2. Source: gRPC over HTTP2, "HTTP2 Transport Mapping", "Errors". */
const resetCodes: ReadonlyMap<number, Code> = new Map([
  [constants.NGHTTP2_REFUSED_STREAM, Code.Unavailable],
  [constants.NGHTTP2_CANCEL, Code.Canceled],
  [constants.NGHTTP2_ENHANCE_YOUR_CALM, Code.ResourceExhausted],
  [constants.NGHTTP2_INADEQUATE_SECURITY, Code.PermissionDenied],
]);

function wrapped(cause: Error): ConnectError {
  const text = cause instanceof Http2ViolationError ? `the server ${cause.message}` : cause.message;
  const code = cause instanceof Http2ViolationError ? Code.Internal : Code.Unavailable;
  return new ConnectError(text, code, undefined, undefined, cause);
}

function connectionEnded(): Error {
  return Object.assign(new Error("the server closed the connection"), { code: "ECONNRESET" });
}

function addHeaders(headers: Headers, given: IncomingHttpHeaders): Headers {
  for (const [name, value] of Object.entries(given))
    if (!name.startsWith(":")) for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

async function* readBody(stream: ClientHttp2Stream, ended: Promise<Error | undefined>): AsyncIterable<Uint8Array> {
  const failed = ended.then((error): Promise<never> => (error ? Promise.reject(error) : new Promise(() => {})));
  failed.catch(() => {});
  const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), failed]).catch(async (error: unknown) => {
        throw (await ended) ?? error;
      });
      if (next.done) break;
      yield next.value;
    }
    // What was cut off ends as well, before its stream closes.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) await failed;
  } finally {
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  }
}

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
