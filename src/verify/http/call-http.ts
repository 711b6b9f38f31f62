import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import type { Socket } from "node:net";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { abortLater } from "../../base/abort-later.js";
import { redirectFault } from "../../base/redirect-fault.js";
import { userAgent } from "../../base/versions.js";
import { isSequential, maxSequenceBytes, maxSequenceMs, wholeItems } from "../../http/sequential.js";
import { bytesText, maxAnswerBytes, maxHeldBytes, tooLarge } from "../../wire/answer-limits.js";
import { routeOf } from "../../wire/http-route.js";
import { notePlain, speaksTls, UnexpectedTlsError } from "../../wire/tls-probe.js";
import type { Pace } from "../pace.js";

/** A request whose body is encoded. */
export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A response, read to its end. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, decompressed. Empty if it is too large. */
  readonly bytes: Buffer;
  /** Why no check can use the response, as a sentence: it redirects, is too large to read, or cannot be decompressed. */
  readonly fault?: string;
}

/** Limits of one call. */
export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The pace of the run, if it has one. */
  readonly pace?: Pace;
  /** Called if the server sends more than the response, or more than one. */
  readonly onSurplus?: () => void;
}

/** The server closed the connection after the request was sent, without a response. */
export class DroppedError extends Error {
  override readonly name = "DroppedError";
  /** Whether the server closed it before it had read the request, so that something else ended the server. */
  readonly isUnread: boolean;

  constructor(message: string, { isUnread = false, ...options }: ErrorOptions & { readonly isUnread?: boolean } = {}) {
    super(message, options);
    this.isUnread = isUnread;
  }
}

/** The server responded, but the response cannot be read: it is cut short, is not HTTP, or has too many content codings. */
export class UnreadableAnswerError extends Error {
  override readonly name = "UnreadableAnswerError";
}

/**
 * Every request has a connection of its own. On a shared one, bytes that no request asked for would pass for the response to the next request,
 * and a write that meets the end of an idle connection could neither be repeated nor be judged.
 */
const agent = new Agent({ keepAlive: false });
const tlsAgent = new TlsAgent({ keepAlive: false });

/** The methods that ask for no change (RFC 9110, section 9.2.1). TRACE is of no use here. */
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** Whether a method asks for no change, so that a request may be sent again. */
export function isSafe(method: string): boolean {
  return safeMethods.has(method.toUpperCase());
}

/** How long a connection is listened to before the request is sent, because what arrives then is no response to it. */
const listenMs = 1;

/** How long a connection stays open after its response, to notice what the server sends in addition. Most servers close it at once. */
const lingerMs = 250;

/**
 * Sends one request and reads its response. Follows no redirects. Uses `node:http`, because `fetch` takes four times its processor time,
 * and a verification makes thousands of calls.
 *
 * Rejects with a `TimeoutError`, a `DroppedError`, an `UnreadableAnswerError`, with the signal's reason once that aborts, or with the error
 * for which no connection was made. `describeCallError` describes each.
 */
export async function callHttp(
  call: HttpCall,
  { timeoutMs, signal, pace, onSurplus }: CallLimits,
): Promise<CallAnswer> {
  await pace?.(signal);
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  // What a write made must be known to be removed, also if the run is stopped.
  const stop = signal === undefined || isSafe(call.method) ? signal : abortLater(signal);
  const end = stop === undefined ? timeout : AbortSignal.any([stop, timeout]);
  try {
    const response = await send(call, end, onSurplus);
    const headers = headersOf(response);
    const { statusCode: status = 0 } = response;
    const type = headers.get("Content-Type") ?? "";
    const body = decoded(call, response, headers);
    const read = isSequential(type) ? readSequence(type, response, body) : readBytes(body);
    const { bytes, fault } = await read.catch(unreadable);
    // Without a length, a body that is cut short at its time limit looks complete.
    end.throwIfAborted();
    if (status === 400 && deniesPlainHttp(bytes) && (await speaksTls(call.url))) throw new UnexpectedTlsError();
    notePlain(call.url);
    const problem = redirectFault({ status, location: headers.get("Location") }, call.url) ?? fault;
    return { status, headers, bytes, fault: problem };
  } catch (error) {
    end.throwIfAborted();
    const mayBeTls = error instanceof DroppedError || error instanceof UnreadableAnswerError;
    throw mayBeTls && (await speaksTls(call.url)) ? new UnexpectedTlsError() : error;
  }
}

/** Whether a server says that it speaks HTTPS, as those of Go, nginx and Apache do to plain HTTP. */
function deniesPlainHttp(body: Buffer): boolean {
  return /plain HTTP|HTTP request to an HTTPS server/i.test(body.toString("latin1", 0, 1024));
}

function send(call: HttpCall, signal: AbortSignal, onSurplus = () => {}): Promise<IncomingMessage> {
  const { method, url, headers, body } = call;
  return new Promise((resolve, reject) => {
    const isTls = new URL(url).protocol === "https:";
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const route = routeOf(url, { plain: agent, tls: tlsAgent });
    const all = { Accept: "*/*", "User-Agent": userAgent, ...headers, ...length, ...route.headers };
    const request = (isTls || route.protocol === "https:" ? requestHttps : requestHttp)(url, {
      ...{ method, ...route, headers: all, signal },
    });
    let answer: IncomingMessage | undefined;
    let isConnected = false;
    let isSent = false;
    const sendSoon = () => {
      isConnected = true;
      // An immediate follows what has arrived until then.
      setTimeout(
        () =>
          setImmediate(() => {
            isSent = true;
            request.end(body);
          }),
        listenMs,
      );
    };
    request.once("socket", (socket) => {
      const isHandshaking = isTls && "secureConnecting" in socket && socket.secureConnecting === true;
      if (socket.connecting || isHandshaking) socket.once(isTls ? "secureConnect" : "connect", sendSoon);
      else sendSoon();
      watchSurplus(socket, () => answer?.complete === true, onSurplus);
    });
    request.once("response", (response) => {
      answer = response;
      if (isSent) return resolve(response);
      response.destroy();
      reject(new UnreadableAnswerError("the server sent a response before the request"));
    });
    // Without a listener, the request would never end, not even when its signal aborts.
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new UnreadableAnswerError("the server switched protocols with status 101, which no request asks for"));
    });
    request.on("error", (error) => {
      // Node takes a body that has no length for complete even if the connection was reset.
      if (answer?.complete === false) answer.destroy(isSyntaxError(error) ? notHttp(error) : cutShort(error));
      else if (isSyntaxError(error)) reject(notHttp(error));
      else reject(isConnected && !signal.aborted ? dropped(error) : unreached(error, route.host));
    });
  });
}

/** Calls `onSurplus` once if more bytes than those of a response arrive. Keeps the connection open for a moment to see them. */
function watchSurplus(socket: Socket, isComplete: () => boolean, onSurplus: () => void): void {
  let wasComplete = false;
  let isReported = false;
  // Node's own listener comes first. It destroys the connection if a response is followed by anything else in the same piece.
  socket.on("data", (piece: Buffer) => {
    const isLineEnd = /^[\r\n]*$/.test(piece.subarray(0, 8).toString("latin1"));
    const isSurplus = isComplete() && (wasComplete ? !isLineEnd : socket.destroyed);
    wasComplete = isComplete();
    if (!isSurplus || isReported) return;
    isReported = true;
    onSurplus();
  });
  // Node calls it once it has read the response.
  socket.destroySoon = () => {
    socket.unref();
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

/** A system resets a connection if its process ends before it read all that arrived; otherwise, it closes the connection in order. */
function dropped(cause: NodeJS.ErrnoException): DroppedError {
  return new DroppedError("the server closed the connection", { cause, isUnread: isReset(cause) });
}

/** Names the proxy if it is what could not be reached. A tunnel names it itself. */
function unreached(error: NodeJS.ErrnoException, proxy: string | null | undefined): Error {
  if (proxy === undefined || proxy === null || error.syscall !== "connect") return error;
  return Object.assign(new Error(`the proxy ${proxy} cannot be reached: ${error.message}`), { code: error.code });
}

/** Whether an error says that the system of the peer reset the connection. */
export function isReset(error: Error): boolean {
  return "syscall" in error && (error.syscall === "read" || error.syscall === "write");
}

/** Whether Node's parser of HTTP threw an error. */
function isSyntaxError({ code }: NodeJS.ErrnoException): boolean {
  return code?.startsWith("HPE_") === true;
}

function notHttp(error: Error): UnreadableAnswerError {
  return new UnreadableAnswerError(`the answer is not valid HTTP: ${error.message}`, { cause: error });
}

function cutShort(error: Error): UnreadableAnswerError {
  return new UnreadableAnswerError("the server closed the connection in the middle of its answer", { cause: error });
}

/** Handles an error of a body: throws it if the connection is to blame, and returns a fault if the content is. */
function unreadable(error: NodeJS.ErrnoException): { readonly bytes: Buffer; readonly fault: string } {
  if (error instanceof UnreadableAnswerError) throw error;
  if (error.code === "ECONNRESET" || error.code === "ERR_STREAM_PREMATURE_CLOSE") throw cutShort(error);
  return {
    bytes: Buffer.alloc(0),
    fault: `the answer is not compressed as its header Content-Encoding says: ${error.message}`,
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  return headers;
}

/** Whether a response has no content, although it may name its coding (RFC 9110, section 6.4.1). */
function isEmpty({ method }: HttpCall, { statusCode: status, headers }: IncomingMessage): boolean {
  return method === "HEAD" || status === 204 || status === 304 || headers["content-length"] === "0";
}

/** Decoders of content codings (RFC 9110, section 8.4.1). */
const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Each coding takes memory. Browsers and `fetch` stop at five, too. */
export const maxCodings = 5;

/** Decompresses a body. Unknown codings are skipped. Throws an `UnreadableAnswerError` if there are too many. */
function decoded(call: HttpCall, response: IncomingMessage, headers: Headers): AsyncIterable<Uint8Array> {
  const codings = (headers.get("Content-Encoding") ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  if (codings.length > maxCodings) {
    response.destroy();
    throw new UnreadableAnswerError(`the answer has more than ${maxCodings} content codings`);
  }
  if (isEmpty(call, response)) return response;
  const steps = codings.reverse().flatMap((coding) => decoders.get(coding)?.() ?? []);
  // The reader of the last stream gets the errors of all.
  return steps.length === 0 ? response : (pipeline([response, ...steps], () => {}) as Transform);
}

/** Reads a sequence of items, which may have no end, for a while: up to the last item that is whole. */
async function readSequence(
  type: string,
  response: IncomingMessage,
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: Buffer; readonly fault?: string }> {
  const pieces: Uint8Array[] = [];
  let [length, isCut] = [0, false];
  const timer = setTimeout(() => {
    isCut = true;
    response.destroy();
  }, maxSequenceMs);
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      isCut = length > maxSequenceBytes;
      if (isCut) break;
    }
  } catch (error) {
    if (!isCut) throw error;
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(pieces);
  return { bytes: isCut ? Buffer.from(wholeItems(type, bytes.toString("utf8"))) : bytes };
}

/** The bytes of all responses that this process is reading. */
let heldBytes = 0;

/**
 * Reads a body. Stops, with a `fault`, once it exceeds `maxAnswerBytes`, or all bodies that are being read together exceed `maxHeldBytes`.
 * Rejects as the body does.
 */
async function readBytes(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: Buffer; readonly fault?: string }> {
  const pieces: Uint8Array[] = [];
  const empty = Buffer.alloc(0);
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      heldBytes += piece.length;
      if (length > maxAnswerBytes) return { bytes: empty, fault: tooLarge(maxAnswerBytes) };
      if (heldBytes > maxHeldBytes) {
        return {
          bytes: empty,
          fault: `the answers that are read at the same time are larger than ${bytesText(maxHeldBytes)}`,
        };
      }
      pieces.push(piece);
    }
    return { bytes: Buffer.concat(pieces) };
  } finally {
    heldBytes -= length;
  }
}
