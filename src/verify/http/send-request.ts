import { setTimeout as delay } from "node:timers/promises";
import { waitSeconds } from "../../http/retry-after.js";
import type { Pace } from "../pace.js";
import { callHttp, type HttpCall, UnreadableAnswerError } from "./call-http.js";
import { describeCallError } from "./describe-call-error.js";
import type { HttpRequest, ReceivedResponse } from "./http-message.js";
import { NoAnswerError } from "./no-answer-error.js";

/** Limits of a request. */
export interface SendLimits {
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The pace of the run, if it has one. */
  readonly pace?: Pace | undefined;
  /** Headers of every request to the server. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is ready to send. */
export interface ReadyRequest extends HttpRequest {
  /** The encoded body, which is sent instead of `body`; `body` is then only for display. */
  readonly bytes?: Buffer;
}

/** Attempts in total, while the server responds with 429. */
export const maxAttempts = 8;
/** The longest `Retry-After` that is honoured. */
export const maxWaitSeconds = 30;
const firstBackoffMs = 5;

/**
 * Sends a request and returns the response, whatever its status. A response that redirects, is too large or cannot be decompressed has
 * a `fault`; redirects are not followed.
 *
 * After a 429, waits as `Retry-After` says and sends the request again, up to eight times in total; retries a failed connection once.
 * Rejects with a `NoAnswerError` if there is no response in the end or `Retry-After` exceeds 30 seconds, and with the signal's reason
 * once that aborts.
 */
export async function sendRequest(request: ReadyRequest, options: SendLimits): Promise<ReceivedResponse> {
  const call = await encodeBody(request);
  for (let attempt = 1; ; attempt++) {
    const response = await sendWithRetry(call, options);
    if (response.status !== 429) return response;
    const wait = waitAfter(response.headers);
    if (attempt >= maxAttempts) throw tooManyRequests(wait);
    // Backs off, because concurrent requests count against the same rate limit.
    await delay(wait + firstBackoffMs * 2 ** attempt, undefined, { signal: options.signal });
  }
}

/** Returns how many milliseconds a 429 asks to wait. Throws a `NoAnswerError` if that is too long. */
export function waitAfter(headers: Headers): number {
  const wait = waitSeconds(headers) * 1000;
  if (wait > maxWaitSeconds * 1000) throw tooManyRequests(wait);
  return wait;
}

function tooManyRequests(wait: number): NoAnswerError {
  return new NoAnswerError(`the server keeps answering 429; it asks to wait ${wait / 1000} seconds`);
}

async function sendWithRetry(call: HttpCall, options: SendLimits): Promise<ReceivedResponse> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await sendOnce(call, options);
    } catch (error) {
      options.signal.throwIfAborted();
      const reason = describeCallError(error, options.timeoutMs);
      const isTimeout = error instanceof Error && error.name === "TimeoutError";
      // A server that has begun to respond has processed the request.
      if (isTimeout || error instanceof UnreadableAnswerError) throw new NoAnswerError(reason, { cause: error });
      if (!isFirst) throw new NoAnswerError(`no answer: ${reason}`, { cause: error });
    }
  }
}

async function sendOnce(call: HttpCall, { timeoutMs, signal, pace }: SendLimits): Promise<ReceivedResponse> {
  const answer = await callHttp(call, { timeoutMs, signal, pace });
  const contentType = answer.headers.get("Content-Type") ?? undefined;
  return { ...answer, contentType, text: answer.bytes.toString("utf8") };
}

async function encodeBody({ method, url, headers, body, bytes }: ReadyRequest): Promise<HttpCall> {
  if (body === undefined || bytes !== undefined) return { method, url, headers, body: bytes };
  if (typeof body === "string") return { method, url, headers, body };
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  const encoded = new Response(form);
  const type = encoded.headers.get("Content-Type") ?? "";
  return {
    method,
    url,
    headers: { ...headers, "Content-Type": type },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}
