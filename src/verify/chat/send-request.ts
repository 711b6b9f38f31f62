import { setTimeout as delay } from "node:timers/promises";
import { retryAfterSeconds } from "../../chat/client/retry.js";
import { maxAnswerBytes } from "../answer-limits.js";
import { redirectFault } from "../redirect-fault.js";
import type { ReceivedResponse } from "./compare-with-contract.js";
import type { HttpPart, HttpRequest } from "./curl-line.js";
import { readText, TooLargeError } from "./read-text.js";
import { whyUnanswered } from "./why-unanswered.js";

/** How requests are sent. */
export interface SendLimits {
  /** How long one request may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Is told how many milliseconds a 429 will be waited for. */
  readonly onWait?: (ms: number) => void | Promise<void>;
}

/** A request that can be sent. */
export interface ReadyRequest extends HttpRequest {
  /** The body, when it is not to be made of `body`, which then is for people. */
  readonly bytes?: Buffer;
}

/** There was no answer that could be looked at: the server was gone, too slow, or would not take more requests for now. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/** How often a request is sent that gets 429, and for how long such an answer is waited at most. */
const attempts = 8;
const longestWaitSeconds = 30;
/** Seconds to wait when a 429 does not say how long. */
const usualWaitSeconds = 1;
const firstPauseMs = 5;

/**
 * Sends a request and gives the response, whatever it is. One that redirects, which is not followed, or that is too large has a `fault`. A 429 is waited for as its `Retry-After` says,
 * at most 30 seconds, and the request sent again, up to eight times; a connection that fails is tried once more. Rejects with a
 * `NoAnswerError` when there is no answer in the end, and with the reason of the signal when that is aborted.
 */
export async function sendRequest(request: ReadyRequest, options: SendLimits): Promise<ReceivedResponse> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendTwice(request, options);
    if (response.status !== 429) return response;
    const wait = waitAfter(response.headers);
    if (attempt >= attempts) throw tooManyRequests(wait);
    // A little longer each time: other requests are sent meanwhile, and use up what the server has to give.
    const ms = wait + firstPauseMs * 2 ** attempt;
    await options.onWait?.(ms);
    await delay(ms, undefined, { signal: options.signal });
  }
}

/** How many milliseconds a 429 asks to wait. Throws a `NoAnswerError` when these are too many. */
export function waitAfter(headers: Headers): number {
  const wait = (retryAfterSeconds(headers) ?? usualWaitSeconds) * 1000;
  if (wait > longestWaitSeconds * 1000) throw tooManyRequests(wait);
  return wait;
}

function tooManyRequests(wait: number): NoAnswerError {
  return new NoAnswerError(
    `the server answers 429 and does not take more requests; it asks to wait ${wait / 1000} seconds`,
  );
}

async function sendTwice(request: ReadyRequest, options: SendLimits): Promise<ReceivedResponse> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await sendOnce(request, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof NoAnswerError) throw error;
      if (!isFirst) throw new NoAnswerError(`no answer: ${whyUnanswered(error, options.timeoutMs)}`, { cause: error });
    }
  }
}

async function sendOnce(
  { method, url, headers, body, bytes }: ReadyRequest,
  options: SendLimits,
): Promise<ReceivedResponse> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.any([timeout, options.signal]),
      ...(body === undefined ? {} : { body: bytes === undefined ? bodyToSend(body) : new Uint8Array(bytes) }),
    });
    const contentType = response.headers.get("Content-Type") ?? undefined;
    const { status, headers: received } = response;
    const { text, fault } = await readBody(response);
    const redirect = redirectFault({ status, location: received.get("Location") }, url);
    const why = redirect ?? fault;
    return { status, headers: received, contentType, text, ...(why === undefined ? {} : { fault: why }) };
  } catch (error) {
    if (timeout.aborted) throw new NoAnswerError(`no answer within ${options.timeoutMs} ms`, { cause: error });
    throw error;
  }
}

/** Of a body that is too large, nothing is kept. */
async function readBody(response: Response): Promise<{ readonly text: string; readonly fault?: string }> {
  try {
    return { text: await readText(response, maxAnswerBytes) };
  } catch (error) {
    if (error instanceof TooLargeError) return { text: "", fault: error.message };
    throw error;
  }
}

function bodyToSend(body: string | readonly HttpPart[]): Uint8Array<ArrayBuffer> | FormData {
  return typeof body === "string" ? new TextEncoder().encode(body) : formData(body);
}

function formData(fields: readonly HttpPart[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
