import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import type { FormatError } from "../../http/malformed-requests.js";
import { createBodyKeeper } from "./capture-body.js";
import { createDeadline } from "./deadline.js";
import { createOwnName, endToEndHeaders, hasPassed } from "./forwarded-headers.js";
import { defaultForwarderLimits, type ForwarderLimits, maxHeaderBytes } from "./forwarder-limits.js";
import { attempt, describeForwardingError, LoopError, MalformedAnswerError } from "./forwarding-errors.js";
import type { Interception } from "./interception.js";
import { passAnswer } from "./pass-answer.js";
import { type Passage, toExchange } from "./passage.js";
import { stream } from "./stream-body.js";
import type { RecordedExchange } from "./traffic.js";

/** The server that requests are sent to, and how they are treated. */
export interface ForwarderOptions {
  /** The scheme, host and port of the server. */
  readonly origin: string;
  /** The Unix socket of the server, in place of the host and port of `origin`. */
  readonly socketPath?: string;
  /** Called with each exchange once it has ended. Must not throw. */
  readonly onExchange: (exchange: RecordedExchange) => void;
  /** Decides how to treat a request before it is forwarded. Defaults to forwarding all of them unchanged. */
  readonly intercept?: (request: IncomingMessage) => Interception | undefined;
  /** Formats the errors of the proxy itself. */
  readonly formatError: FormatError;
  readonly limits?: Partial<ForwarderLimits>;
}

/** Shorter than common servers keep an idle connection, so that requests rarely use one that the server is closing. */
const maxIdleMs = 2_000;
/** How long the server may ignore `Expect: 100-continue` before the body is sent anyway (RFC 9110, section 10.1.1). */
const maxContinueMs = 1_000;
/** Requests that may be sent again if an idle connection turned out to be closed (RFC 9110, section 9.2.2). */
const idempotent: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const withBody: ReadonlySet<string | undefined> = new Set(["POST", "PUT", "PATCH"]);

/** Forwards requests to one server. */
export interface Forwarder {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Closes the connections to the server. */
  readonly close: () => void;
}

/**
 * Creates a forwarder of HTTP/1.1 requests. It streams bodies both ways, each only as fast as its reader, passes on everything except
 * hop-by-hop headers, and responds with 502 or 504 itself if the server does not respond.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { origin, onExchange, intercept, formatError, limits: given } = options;
  const limits = { ...defaultForwarderLimits, ...given };
  const target = new URL(origin);
  const isTls = target.protocol === "https:";
  const pool = { keepAlive: true, maxSockets: limits.maxServerConnections, timeout: maxIdleMs };
  const agent = isTls ? new TlsAgent(pool) : new Agent(pool);
  const send = isTls ? httpsRequest : httpRequest;
  const address =
    options.socketPath === undefined
      ? { hostname: target.hostname.replace(/^\[|\]$/g, ""), port: target.port || (isTls ? 443 : 80) }
      : { socketPath: options.socketPath };
  const bodies = createBodyKeeper(limits.maxHeldBytes);
  const ownName = createOwnName();

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const passage: Passage = {
      request,
      response,
      hasBody: request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined,
      sent: bodies.open(limits.maxRequestBytes),
      received: bodies.open(limits.maxResponseBytes),
      startedAt: Date.now(),
      interception: undefined,
    };
    // Whatever fails for this exchange is reported when it closes.
    response.on("error", () => {});
    response.once("close", () => {
      if (!response.writableFinished) passage.interruption ??= "the client disconnected";
      onExchange(toExchange(passage));
      passage.sent.release();
      passage.received.release();
    });
    guarded(passage, () => {
      if (hasPassed(request.headers.via, ownName)) throw new LoopError();
      passage.interception = intercept?.(request);
      const { delayMs = 0 } = passage.interception ?? {};
      if (delayMs === 0) return void begin(passage);
      const timer = setTimeout(() => guarded(passage, () => begin(passage)), delayMs);
      response.once("close", () => clearTimeout(timer));
    });
  }

  /** Ends only this exchange if a step of it fails. */
  function guarded(passage: Passage, step: () => void): void {
    attempt(step, (error) => refuse(passage, error));
  }

  function begin(passage: Passage): void {
    const { interception, request, response, sent, received } = passage;
    const answer = interception?.answer;
    if (answer === undefined) return void forward(passage, true);
    request.on("data", sent.add);
    request.once("end", () => {
      const { status, headers, text } = answer;
      passage.answer = { status, rawHeaders: Object.entries(headers).flat() };
      received.add(Buffer.from(text));
      response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(text) });
      response.end(text);
    });
  }

  function forward(passage: Passage, isFirst: boolean): void {
    const { request, response, hasBody, sent } = passage;
    const outgoing = send({
      ...address,
      agent,
      method: request.method,
      path: targetPath(request),
      headers: requestHeaders(passage),
      setHost: false,
      maxHeaderSize: maxHeaderBytes,
    });
    const deadline = createDeadline(outgoing, limits);
    let isSending = false;
    let stopSending = () => {};
    const sendBody = () => {
      if (isSending) return;
      isSending = true;
      if (hasBody) stopSending = stream(request, outgoing, { record: sent, onProgress: deadline.refresh });
      else outgoing.end();
    };
    const stop = () => void outgoing.destroy();
    response.once("close", stop);
    response.once("finish", () => {
      // The server responded before it had read the request, so the connection cannot serve another.
      if (!request.complete) {
        stopSending();
        outgoing.destroy();
      }
    });
    outgoing.on("information", ({ statusCode, headers }) => passOnInformation(response, statusCode, headers));
    outgoing.once("response", (incoming) =>
      passAnswer(passage, incoming, {
        origin: target.origin,
        maxBytes: limits.maxResponseBytes,
        onProgress: deadline.refresh,
        guarded: (step) => guarded(passage, step),
      }),
    );
    outgoing.once("upgrade", (_incoming, socket) => {
      socket.destroy();
      stopSending();
      refuse(passage, new MalformedAnswerError("sent status 101, although the request asks for no other protocol"));
    });
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      response.off("close", stop);
      outgoing.on("error", () => {});
      const { malformed } = describeForwardingError(error, target.origin);
      if (malformed !== undefined) passage.malformed ??= malformed;
      if (passage.answer !== undefined || response.destroyed) return;
      const isStale = isFirst && outgoing.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? "");
      if (isStale && !hasBody && idempotent.has(request.method)) return void forward(passage, false);
      stopSending();
      refuse(passage, error);
    });
    if (request.headers.expect === undefined) return void sendBody();
    outgoing.once("continue", sendBody);
    const waiting = setTimeout(sendBody, maxContinueMs);
    outgoing.once("response", () => clearTimeout(waiting));
    outgoing.once("close", () => clearTimeout(waiting));
  }

  function requestHeaders({ request, hasBody, interception }: Passage): string[] {
    // A response can only be changed if it is readable.
    const isPlain = interception?.change !== undefined;
    // Only a chunked body has trailers, and Node announces none for any other.
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    const headers = endToEndHeaders(request.rawHeaders, (name, value) =>
      name === "host" || (name === "trailer" && !isChunked) || (isPlain && name === "accept-encoding")
        ? undefined
        : value,
    );
    headers.push("Host", target.host, "Via", `${request.httpVersion} ${ownName}`);
    if (isChunked) headers.push("Transfer-Encoding", "chunked");
    // Otherwise Node would use chunked encoding.
    else if (!hasBody && withBody.has(request.method)) headers.push("Content-Length", "0");
    return headers;
  }

  function refuse(passage: Passage, error: NodeJS.ErrnoException): void {
    const { response } = passage;
    const { status, reason, malformed } = describeForwardingError(error, target.origin);
    if (malformed === undefined) passage.interruption ??= reason;
    else passage.malformed ??= malformed;
    if (response.headersSent) return void response.destroy();
    passage.answer = undefined;
    const { type, text } = formatError(`The proxy got no response: ${reason}`);
    // Node keeps the parts of a head that it has refused.
    for (const name of response.getHeaderNames()) if (name !== "connection") response.removeHeader(name);
    response.writeHead(status, STATUS_CODES[status], {
      "Content-Type": type,
      "Content-Length": Buffer.byteLength(text),
    });
    response.end(text);
  }

  return { handle, close: () => agent.destroy() };
}

/** The path and query of a target, which may also be an absolute URL (RFC 9112, section 3.2.2). */
function targetPath({ url = "/" }: IncomingMessage): string {
  if (url.startsWith("/")) return url;
  const path = url.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("/") || path === "*" ? path : `/${path}`;
}

/** Passes on interim responses, other than those that the proxy sends itself (RFC 9110, section 15.2). Hints are only links. */
function passOnInformation(response: ServerResponse, status: number, headers: NodeJS.Dict<string | string[]>): void {
  // A client that does not read must not make the proxy keep any number of them.
  if (response.headersSent || response.destroyed || response.socket?.writableNeedDrain === true) return;
  if (status === 102) response.writeProcessing();
  if (status !== 103 || headers.link === undefined) return;
  try {
    response.writeEarlyHints({ link: headers.link });
  } catch {
    // Node rejects links that it cannot parse. They are only hints.
  }
}
