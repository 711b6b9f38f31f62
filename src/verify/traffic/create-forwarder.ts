import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import type { FormatError } from "../../http/malformed-requests.js";
import { type BodyRecord, createBodyKeeper } from "./capture-body.js";
import { createDeadline, type Deadline } from "./deadline.js";
import { endToEndHeaders, headersByName, type RawHeaders } from "./forwarded-headers.js";
import { describeForwardingError } from "./forwarding-errors.js";
import type { ChangeAnswer, Interception } from "./interception.js";
import { stream } from "./stream-body.js";
import type { RecordedExchange, RecordedMessage } from "./traffic.js";

/** Where requests go, and what is recorded of them. */
export interface ForwarderOptions {
  /** The scheme, host and port of the server. */
  readonly origin: string;
  /** The Unix socket of the server, in place of the host and port of `origin`. */
  readonly socketPath?: string;
  /** Called with each exchange once it has ended. Must not throw. */
  readonly onExchange: (exchange: RecordedExchange) => void;
  /** Decides how to treat a request before it is forwarded. Defaults to forwarding all of them as they are. */
  readonly intercept?: (request: IncomingMessage) => Interception | undefined;
  /** Formats the errors of the proxy itself. */
  readonly formatError: FormatError;
  readonly limits?: Partial<ForwarderLimits>;
}

/** Bounds of a forwarder. */
export interface ForwarderLimits {
  /** The largest request body that is kept for judging. */
  readonly maxRequestBytes: number;
  /** The largest response body that is kept for judging. */
  readonly maxResponseBytes: number;
  /** All bodies that are kept at the same time. */
  readonly maxHeldBytes: number;
  readonly maxConnectMs: number;
  /** How long neither side may send anything once the server is connected. */
  readonly maxSilenceMs: number;
  readonly maxServerConnections: number;
}

const mebibyte = 1024 * 1024;

/** 1 MiB of each request, 8 MiB of each response and 256 MiB in total are kept. Ten seconds to connect, five minutes of silence. */
export const defaultForwarderLimits: ForwarderLimits = {
  maxRequestBytes: mebibyte,
  maxResponseBytes: 8 * mebibyte,
  maxHeldBytes: 256 * mebibyte,
  maxConnectMs: 10_000,
  maxSilenceMs: 300_000,
  maxServerConnections: 1024,
};

/** Shorter than any common server keeps an idle connection, so that hardly a request meets one that the server is closing. */
const maxIdleMs = 2_000;
/** How long the server may ignore `Expect: 100-continue` before the body is sent nevertheless (RFC 9110, section 10.1.1). */
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

/** A request on its way. */
interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hasBody: boolean;
  readonly sent: BodyRecord;
  readonly received: BodyRecord;
  readonly startedAt: number;
  readonly interception: Interception | undefined;
  /** The head of the response. */
  answer?: { readonly status: number; readonly rawHeaders: RawHeaders };
  interruption?: string;
}

/**
 * Creates a forwarder of HTTP/1.1 requests. It streams bodies both ways, each only as fast as its reader, passes on everything but the
 * headers of the connection, and responds with 502 or 504 itself if the server does not respond.
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

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const passage: Passage = {
      request,
      response,
      hasBody: request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined,
      sent: bodies.open(limits.maxRequestBytes),
      received: bodies.open(limits.maxResponseBytes),
      startedAt: Date.now(),
      interception: intercept?.(request),
    };
    response.once("close", () => {
      if (!response.writableFinished) passage.interruption ??= "the client disconnected";
      onExchange(toExchange(passage));
      passage.sent.release();
      passage.received.release();
    });
    const { delayMs = 0 } = passage.interception ?? {};
    if (delayMs === 0) return void begin(passage);
    const timer = setTimeout(begin, delayMs, passage);
    response.once("close", () => clearTimeout(timer));
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
    });
    const deadline = createDeadline(outgoing, limits);
    let isSending = false;
    const sendBody = () => {
      if (isSending) return;
      isSending = true;
      if (hasBody) stream(request, outgoing, { record: sent, onProgress: deadline.refresh });
      else outgoing.end();
    };
    const stop = () => void outgoing.destroy();
    response.once("close", stop);
    response.once("finish", () => {
      // The server responded before it had read the request, so the connection cannot serve another.
      if (!request.complete) {
        request.unpipe(outgoing);
        outgoing.destroy();
      }
    });
    outgoing.on("information", ({ statusCode, headers }) => passOnInformation(response, statusCode, headers));
    outgoing.once("response", (incoming) => passAnswer(passage, incoming, deadline));
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      response.off("close", stop);
      outgoing.on("error", () => {});
      if (passage.answer !== undefined || response.destroyed) return;
      const isStale = isFirst && outgoing.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? "");
      if (isStale && !hasBody && idempotent.has(request.method)) return void forward(passage, false);
      request.unpipe(outgoing);
      refuse(passage, error);
    });
    if (request.headers.expect === undefined) return void sendBody();
    outgoing.once("continue", sendBody);
    const waiting = setTimeout(sendBody, maxContinueMs);
    outgoing.once("response", () => clearTimeout(waiting));
    outgoing.once("close", () => clearTimeout(waiting));
  }

  function requestHeaders({ request, hasBody, interception }: Passage): string[] {
    // A response that is to be changed must be readable.
    const isPlain = interception?.change !== undefined;
    const headers = endToEndHeaders(request.rawHeaders, (name, value) =>
      name === "host" || (isPlain && name === "accept-encoding") ? undefined : value,
    );
    headers.push("Host", target.host, "Via", request.httpVersion === "1.1" ? "1.1 accord" : "1.0 accord");
    if (request.headers["transfer-encoding"] !== undefined) headers.push("Transfer-Encoding", "chunked");
    // Otherwise Node announces chunks.
    else if (!hasBody && withBody.has(request.method)) headers.push("Content-Length", "0");
    return headers;
  }

  function passAnswer(passage: Passage, incoming: IncomingMessage, deadline: Deadline): void {
    const { response, received } = passage;
    const status = incoming.statusCode ?? 502;
    passage.answer = { status, rawHeaders: incoming.rawHeaders };
    const cut = () => {
      passage.interruption ??= "the server broke off its response";
      response.destroy();
    };
    incoming.once("error", cut);
    incoming.once("aborted", cut);
    if (response.destroyed) return void incoming.destroy();
    const change = changeOf(passage, incoming);
    if (change !== undefined) return void changeAnswer(passage, incoming, { change, deadline });
    writeHead(passage, incoming);
    stream(incoming, response, { record: received, onProgress: deadline.refresh });
  }

  function writeHead({ request, response }: Passage, incoming: IncomingMessage): void {
    const isChunked = incoming.headers["transfer-encoding"] !== undefined && request.httpVersion === "1.1";
    response.sendDate = false;
    const headers = endToEndHeaders(incoming.rawHeaders, (name, value) =>
      name === "trailer" && !isChunked ? undefined : ownUrl(name, value, request),
    );
    response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, headers);
  }

  /** Reads a response that is to be changed, up to a limit, and sends what `change` makes of it. */
  function changeAnswer(
    passage: Passage,
    incoming: IncomingMessage,
    { change, deadline }: { readonly change: ChangeAnswer; readonly deadline: Deadline },
  ): void {
    const { request, response, received } = passage;
    const pieces: Buffer[] = [];
    let bytes = 0;
    const collect = (piece: Buffer) => {
      deadline.refresh();
      pieces.push(piece);
      bytes += piece.length;
      if (bytes <= limits.maxResponseBytes) return;
      incoming.off("data", collect).off("end", finish);
      writeHead(passage, incoming);
      for (const one of pieces) {
        received.add(one);
        response.write(one);
      }
      stream(incoming, response, { record: received, onProgress: deadline.refresh });
    };
    const finish = () => {
      const status = incoming.statusCode ?? 502;
      const body = Buffer.from(change(status, Buffer.concat(pieces).toString("utf8")));
      received.add(body);
      const headers = endToEndHeaders(incoming.rawHeaders, (name, value) =>
        name === "trailer" || name === "content-length" ? undefined : ownUrl(name, value, request),
      );
      response.sendDate = false;
      response.writeHead(status, incoming.statusMessage, [...headers, "Content-Length", String(body.length)]);
      response.end(body);
    };
    incoming.on("data", collect).once("end", finish);
  }

  /** Replaces the server's origin in a redirect by that of the proxy, so that the client keeps calling the proxy. */
  function ownUrl(name: string, value: string, { headers: { host } }: IncomingMessage): string {
    if (name !== "location" && name !== "content-location") return value;
    if (host === undefined || !value.startsWith(`${target.origin}/`)) return value;
    return `http://${host}${value.slice(target.origin.length)}`;
  }

  function refuse(passage: Passage, error: NodeJS.ErrnoException): void {
    const { response } = passage;
    const { status, reason } = describeForwardingError(error, target.origin);
    passage.interruption ??= reason;
    if (response.headersSent) return void response.destroy();
    const { type, text } = formatError(`The proxy got no response: ${reason}`);
    response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(text) });
    response.end(text);
  }

  return { handle, close: () => agent.destroy() };
}

/** A target may also be an absolute URL (RFC 9112, section 3.2.2). */
function targetPath({ url = "/" }: IncomingMessage): string {
  if (url.startsWith("/")) return url;
  const path = url.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("/") || path === "*" ? path : `/${path}`;
}

/** The change of a response, if it is JSON that can be read. */
function changeOf({ interception, request }: Passage, { headers }: IncomingMessage): ChangeAnswer | undefined {
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "");
  const isPlain = headers["content-encoding"] === undefined;
  return isJson && isPlain && request.method !== "HEAD" ? interception?.change : undefined;
}

function toExchange(passage: Passage): RecordedExchange {
  const { request, sent, received, startedAt, answer, interruption, interception } = passage;
  const provoked = interception?.provoked() ?? [];
  return {
    startedAt,
    endedAt: Date.now(),
    request: Object.assign(messageOf(request.rawHeaders, sent, request.complete), {
      method: request.method ?? "GET",
      target: request.url ?? "/",
    }),
    ...(answer === undefined
      ? {}
      : { response: Object.assign(messageOf(answer.rawHeaders, received), { status: answer.status }) }),
    ...(interruption === undefined ? {} : { interruption }),
    ...(provoked.length === 0 ? {} : { provoked }),
  };
}

/** Collects the headers when they are first read, which is when the exchange is judged. */
function messageOf(raw: RawHeaders, record: BodyRecord, isWhole = true): RecordedMessage {
  let headers: Readonly<Record<string, string>> | undefined;
  return {
    get headers() {
      headers ??= headersByName(raw);
      return headers;
    },
    // A server may respond before it has read the request.
    body: isWhole ? record.content() : undefined,
    bodyBytes: record.bytes(),
  };
}

/** Passes on interim responses, other than those that the proxy sends itself (RFC 9110, section 15.2). */
function passOnInformation(response: ServerResponse, status: number, headers: NodeJS.Dict<string | string[]>): void {
  if (response.headersSent || response.destroyed) return;
  if (status === 102) response.writeProcessing();
  const { link, ...others } = headers;
  if (status !== 103 || link === undefined) return;
  try {
    response.writeEarlyHints({ ...(others as Record<string, string>), link });
  } catch {
    // Node rejects links that it cannot parse. They are only hints.
  }
}
