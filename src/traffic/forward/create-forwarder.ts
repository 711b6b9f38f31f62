import { STATUS_CODES } from "node:http";
import { Http2ServerResponse } from "node:http2";
import { pairsOf, type RecordedExchange } from "../recorded/recorded-exchange.js";
import { createBodyRecords, pump } from "./bodies.js";
import {
  breakOff,
  type ClientRequest,
  type ClientResponse,
  inform,
  isGone,
  sendHead,
  stopReading,
} from "./client-side.js";
import { attempt, describeForwardingError, ForwardingError } from "./errors.js";
import { createOwnName } from "./headers.js";
import { createHttp1Sender } from "./http1.js";
import { createHttp2Sender } from "./http2.js";
import { passOn } from "./pass-on.js";
import { connectionOf, type Interception, type OwnAnswer, type Passage, toExchange } from "./passage.js";
import { defaultForwarderLimits, type ForwarderLimits, type Sender, type ServerAddress } from "./server-side.js";

/** The server that requests are sent to, and how they are treated. */
export interface ForwarderOptions extends ServerAddress {
  /** Called with each exchange once it has ended. Must not throw. */
  readonly onExchange: (exchange: RecordedExchange) => void;
  /** Decides how to treat a request before it is forwarded. Defaults to forwarding all of them unchanged. */
  readonly intercept?: (request: ClientRequest) => Interception | undefined;
  /** The response to a request that cannot be forwarded. `status` is 502 or 504. */
  readonly refuse: (message: string, status: number, request: ClientRequest) => OwnAnswer;
  readonly limits?: Partial<ForwarderLimits>;
}

/** Forwards requests to one server. */
export interface Forwarder {
  readonly handle: (request: ClientRequest, response: ClientResponse) => void;
  /** Closes the connections to the server. */
  readonly close: () => void;
}

/**
 * Creates a forwarder. It streams bodies both ways, each only as fast as its reader, passes on everything that is not about one connection,
 * and responds itself if the server does not. Over HTTP/2, it passes on the codes of reset streams, so cancelling works as without a proxy.
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { onExchange, intercept } = options;
  const limits = { ...defaultForwarderLimits, ...options.limits };
  const record = createBodyRecords(limits.maxHeldBytes);
  const ownName = createOwnName();
  const senders = new Map<string, Sender>();

  /** Requests are sent over the version of HTTP over which they came. */
  function senderTo(address: ServerAddress, isHttp2: boolean): Sender {
    const key = `${isHttp2} ${address.origin}`;
    const sender = senders.get(key) ?? (isHttp2 ? createHttp2Sender : createHttp1Sender)(address, limits);
    senders.set(key, sender);
    return sender;
  }

  function handle(request: ClientRequest, response: ClientResponse): void {
    const { headers } = request;
    const hasBody =
      "stream" in request
        ? !request.stream.endAfterHeaders
        : headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    const passage: Passage = {
      request,
      response,
      hasBody,
      sent: record(limits.maxRequestBytes),
      received: record(limits.maxResponseBytes),
      startedAt: Date.now(),
      stop: () => {},
      answered: () => {
        passage.isAnswered = true;
        if (response instanceof Http2ServerResponse) setImmediate(() => endRequest(passage, response));
      },
      isReceived: !hasBody,
      isAnswered: false,
      isReported: false,
    };
    // Whatever fails for this exchange is reported when it closes.
    response.on("error", () => {});
    request.on("error", () => {});
    request.once("end", () => {
      passage.isReceived = true;
    });
    // Node's response of HTTP/2 says that it has finished even if the client cancels it.
    if (response instanceof Http2ServerResponse) response.stream.once("wantTrailers", passage.answered);
    else response.once("finish", passage.answered);
    response.once("close", () => {
      if (!passage.isAnswered) {
        const isCall = response instanceof Http2ServerResponse;
        passage.interruption ??= isCall ? "the client cancelled the call" : "the client disconnected";
      }
      report(passage);
    });
    guarded(passage, () => {
      if (headers.via?.includes(ownName)) throw new ForwardingError("loop", "");
      passage.interception = intercept?.(request);
      const { delayMs = 0 } = passage.interception ?? {};
      if (delayMs === 0) return void begin(passage);
      const timer = setTimeout(() => guarded(passage, () => begin(passage)), delayMs);
      response.once("close", () => clearTimeout(timer));
    });
  }

  /** Ends a request over HTTP/2 that its client still sends although it has the response. */
  function endRequest(passage: Passage, response: Http2ServerResponse): void {
    if (passage.isReceived || response.stream.destroyed) return;
    report(passage);
    passage.stop();
    stopReading(response);
  }

  function report(passage: Passage): void {
    if (passage.isReported) return;
    passage.isReported = true;
    onExchange(toExchange(passage));
    passage.sent.release();
    passage.received.release();
  }

  /** Ends only this exchange if a step of it fails. */
  function guarded(passage: Passage, step: () => void): void {
    attempt(step, (error) => fail(passage, error));
  }

  function begin(passage: Passage): void {
    const { request, interception, sent, received } = passage;
    const answer = interception?.answer;
    if (answer === undefined) return void forward(passage);
    request.on("data", sent.add);
    request.once("end", () => {
      received.add(Buffer.from(answer.text));
      passage.head = { status: answer.status, headers: Object.entries(answer.headers).flat() };
      respond(passage, answer);
    });
  }

  function forward(passage: Passage): void {
    const { request, response, hasBody, sent, interception } = passage;
    const { elsewhere, change } = interception ?? {};
    const address = elsewhere ?? options;
    const { origin } = address;
    const { method = "GET", rawHeaders, httpVersion } = request;
    // A response can only be changed if it is readable.
    const readable = () => pairsOf(rawHeaders).filter(([name]) => !/^accept-encoding$/i.test(name));
    const kept = change === undefined ? rawHeaders : readable().flat();
    const events = {
      onInformation: (status: number, headers: NodeJS.Dict<string | string[]>) => inform(response, status, headers),
      onResponse: (answer: Required<Passage>["answer"]) => {
        passage.answer = answer;
        passage.head = answer;
        if (isGone(response)) return void answer.body.destroy();
        const step = {
          origin,
          maxBytes: limits.maxResponseBytes,
          guarded: (next: () => void) => guarded(passage, next),
        };
        guarded(passage, () => passOn(passage, answer, step));
      },
      onError: (error: Error) => {
        const { malformed } = describe(error);
        if (malformed !== undefined) passage.malformed ??= malformed;
        if (passage.head === undefined && !isGone(response)) fail(passage, error);
      },
      onBroken: (code?: number) => {
        if (passage.isAnswered) return;
        passage.interruption ??=
          passage.head === undefined ? "the server refused the call" : "the server broke off its response";
        breakOff(response, code);
      },
    };
    const server = senderTo(address, httpVersion === "2.0").send(
      {
        method,
        path: elsewhere?.path ?? pathOf(request.url ?? "/"),
        headers: [...(elsewhere?.header ?? []), ...kept],
        host: new URL(origin).host,
        via: `${httpVersion} ${ownName}`,
        hasBody,
        connection: connectionOf(passage),
        expectsContinue: request.headers.expect !== undefined,
      },
      events,
    );
    const trailers = () => request.rawTrailers;
    server.whenReady(() => {
      if (hasBody) passage.stop = pump(request, server.sink, sent, () => server.end(trailers));
      else server.end(trailers);
    });
    response.once("close", () => server.cancel("stream" in response ? response.stream.rstCode : undefined));
  }

  function describe(error: Error) {
    const { origin, socketPath } = options;
    return describeForwardingError(error, socketPath === undefined ? origin : `unix:${socketPath}`);
  }

  function fail(passage: Passage, error: Error): void {
    const { request, response } = passage;
    const { status, reason, malformed } = describe(error);
    if (malformed === undefined) passage.interruption ??= reason;
    else passage.malformed ??= malformed;
    passage.stop();
    if (response.headersSent) return void breakOff(response);
    passage.head = undefined;
    respond(passage, options.refuse(`The proxy got no response: ${reason}`, status, request));
  }

  return {
    handle,
    close: () => {
      for (const sender of senders.values()) sender.close();
    },
  };
}

/** The path and query of a target, which may also be an absolute URL (RFC 9112, section 3.2.2). */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("/") || path === "*" ? path : `/${path}`;
}

/** Sends a response of the proxy itself. */
function respond({ request, response, answered }: Passage, { status, headers, text }: OwnAnswer): void {
  if (isGone(response)) return;
  const isWhole = text === "";
  const raw = [...Object.entries(headers).flat(), "Content-Length", String(Buffer.byteLength(text))];
  sendHead(request, response, { status, reason: STATUS_CODES[status], headers: raw }, isWhole);
  if (!isWhole) response.end(text);
  // Node's response of HTTP/2 ignores everything after an end that failed.
  else if (response.headersSent) answered();
  else breakOff(response);
}
