import { setTimeout as delay } from "node:timers/promises";
import { waitSeconds } from "../../http/retry-after.js";
import type { NoAnswerKind } from "../../judge/exchange.js";
import type { HttpRequest, ReceivedResponse } from "../../judge/http-message.js";
import { writeMultipart } from "../../request/write-multipart.js";
import type { Pace } from "../pace.js";
import { callHttp, DroppedError, type HttpCall, isSafe, UnreadableAnswerError } from "./call-http.js";
import { describeCallError } from "./describe-call-error.js";
import { NoAnswerError } from "./no-answer-error.js";

/** Limits of a request. */
export interface SendLimits {
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The pace of the run, if it has one. */
  readonly pace?: Pace;
  /** Headers of every request to the server. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly onFlicker?: (flicker: Flicker) => void;
  /** Shared by the requests of a run, so that they give up together. */
  readonly throttle?: Throttle;
}

/** How a server limits the requests of a run. Made with `createThrottle`. */
export interface Throttle {
  /** How many responses had other statuses than 429. */
  accepted: number;
  /** Whether one request got 429 as often as it may, and no other got anything else meanwhile. */
  isHopeless: boolean;
}

/** Creates what the requests of a run share. */
export function createThrottle(): Throttle {
  return { accepted: 0, isHopeless: false };
}

/**
 * What a server or a gateway in front of it does now and then, without breaking a rule: a connection is closed, or a gateway answers, and
 * the request, sent again, gets a response; or bytes that no request asked for follow a response.
 */
export type Flicker = "dropped" | "gateway" | "surplus";

/** A request that is ready to send. */
export interface ReadyRequest extends HttpRequest {
  /** The encoded body, which is sent instead of `body`; `body` is then only for display. */
  readonly bytes?: Buffer;
}

/** Attempts in total, while the server responds with 429. */
export const maxAttempts = 8;
/** The longest waits that `Retry-After` may ask for, together. */
export const maxWaitSeconds = 30;
const firstBackoffMs = 5;

/** The statuses by which a gateway says that the server behind it did not answer (RFC 9110, sections 15.6.3 to 15.6.5). */
export const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a response is in none of the formats of JSON, as the pages of gateways are. */
export function isNotJson({ contentType }: Pick<ReceivedResponse, "contentType">): boolean {
  return !/[/+]json\b/i.test(contentType ?? "");
}

/** How long to wait before each further attempt while a gateway answers, in milliseconds. */
const gatewayWaits: readonly number[] = [100, 300, 1_000];

/**
 * Sends a request and returns the response, whatever its status. A response that redirects, is too large or cannot be decompressed has
 * a `fault`; redirects are not followed.
 *
 * After a 429, which refuses a request, waits as `Retry-After` says and sends the request again, up to eight times in total. Once a request
 * has given up and the server has accepted no other meanwhile, those of the same `throttle` give up after one 429. If the
 * connection closes without a response, sends a request that changes nothing once more, and up to three times if `isGateway` says that a
 * response is not the server's. Never repeats any other request.
 *
 * Rejects with a `NoAnswerError` if there is no response in the end or the waits together would exceed 30 seconds, and with the signal's
 * reason once that aborts.
 */
export async function sendRequest(
  request: ReadyRequest,
  options: SendLimits,
  isGateway: (response: ReceivedResponse) => boolean = () => false,
): Promise<ReceivedResponse> {
  const call = await encodeBody(request);
  const { throttle = createThrottle() } = options;
  const acceptedBefore = throttle.accepted;
  let waited = 0;
  let gateways = 0;
  for (let attempt = 1; ; ) {
    const response = await sendUntilAnswered(call, options);
    if (response.status === 429) {
      const wait = waitSeconds(response.headers);
      waited += wait;
      const isLast = attempt >= maxAttempts || waited > maxWaitSeconds;
      if (isLast && throttle.accepted === acceptedBefore) throttle.isHopeless = true;
      if (isLast || throttle.isHopeless) throw tooManyRequests(wait);
      // Backs off, because concurrent requests count against the same rate limit.
      await delay(wait * 1000 + firstBackoffMs * 2 ** attempt++, undefined, { signal: options.signal });
      continue;
    }
    throttle.accepted++;
    throttle.isHopeless = false;
    if (!gatewayStatuses.has(response.status) || !isGateway(response)) return response;
    options.onFlicker?.("gateway");
    const wait = gatewayWaits[gateways++];
    if (!isSafe(call.method) || wait === undefined) throw gatewayAnswered(call, response);
    await delay(wait, undefined, { signal: options.signal });
  }
}

function tooManyRequests(wait: number): NoAnswerError {
  return new NoAnswerError("busy", `the server keeps answering 429; it asks to wait ${wait} seconds`);
}

function gatewayAnswered({ method }: HttpCall, { status }: ReceivedResponse): NoAnswerError {
  const repeated = isSafe(method)
    ? `, also to ${gatewayWaits.length} repetitions`
    : "; it may write, so it was not repeated";
  return new NoAnswerError("gateway", `a gateway answered ${status} instead of the server${repeated}`);
}

async function sendUntilAnswered(call: HttpCall, options: SendLimits): Promise<ReceivedResponse> {
  let isUnread = false;
  try {
    return await sendOnce(call, options);
  } catch (error) {
    options.signal.throwIfAborted();
    isUnread = error instanceof DroppedError && error.isUnread;
    if (!(error instanceof DroppedError && isSafe(call.method)))
      throw noAnswer(error, kindOf(error), options, isUnread);
  }
  try {
    const response = await sendOnce(call, options);
    options.onFlicker?.("dropped");
    return response;
  } catch (error) {
    options.signal.throwIfAborted();
    // What closed the first connection may have ended the server.
    throw noAnswer(error, "dropped", options, isUnread);
  }
}

function noAnswer(error: unknown, kind: NoAnswerKind, { timeoutMs }: SendLimits, isUnread: boolean): NoAnswerError {
  const reason = describeCallError(error, timeoutMs);
  const isSentence = error instanceof UnreadableAnswerError || isTimeout(error);
  return new NoAnswerError(kind, isSentence ? reason : `no answer: ${reason}`, { cause: error, isUnread });
}

function kindOf(error: unknown): NoAnswerKind {
  if (error instanceof DroppedError) return "dropped";
  if (error instanceof UnreadableAnswerError) return "unreadable";
  return isTimeout(error) ? "timeout" : "unreachable";
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

async function sendOnce(call: HttpCall, { timeoutMs, signal, pace, onFlicker }: SendLimits): Promise<ReceivedResponse> {
  const answer = await callHttp(call, { timeoutMs, signal, pace, onSurplus: () => onFlicker?.("surplus") });
  const contentType = answer.headers.get("Content-Type") ?? undefined;
  return { ...answer, contentType, text: answer.bytes.toString("utf8") };
}

async function encodeBody({ method, url, headers, body, bytes }: ReadyRequest): Promise<HttpCall> {
  if (body === undefined || bytes !== undefined) return { method, url, headers, body: bytes };
  if (typeof body === "string") return { method, url, headers, body };
  const { type, bytes: written } = await writeMultipart(body);
  return { method, url, headers: { ...headers, "Content-Type": type }, body: written };
}
