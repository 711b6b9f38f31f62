import { setTimeout as delay } from "node:timers/promises";
import { NoAnswerError, type SendLimits, sendRequest, waitAfter } from "../send-request.js";
import type { DreddTransaction } from "./dredd-transaction.js";
import type { ReadyCase } from "./prepare-case.js";

/** What is known of a request that was sent again. */
export interface SentAgain {
  /** Why there is no response to judge. */
  readonly refusal?: string;
  /** Why the response keeps no expectation. */
  readonly fault?: string;
}

/**
 * Sends the request of a transaction again that was answered 429, as soon as the server asks to, and puts the response in the place of
 * that answer: Dredd itself sends a request once. Never rejects.
 */
export async function sendAgain(
  transaction: DreddTransaction,
  { request }: ReadyCase,
  options: Omit<SendLimits, "signal">,
): Promise<SentAgain> {
  try {
    const wait = waitAfter(new Headers(flat(transaction.real?.headers ?? {})));
    await options.onWait?.(wait);
    await delay(wait);
    const { status, headers, text, fault } = await sendRequest(request, {
      ...options,
      signal: new AbortController().signal,
    });
    transaction.real = { statusCode: status, headers: Object.fromEntries(headers), body: text, bodyEncoding: "utf-8" };
    return fault === undefined ? {} : { fault };
  } catch (error) {
    if (error instanceof NoAnswerError) return { refusal: error.message };
    return { refusal: String(error) };
  }
}

function flat(headers: Readonly<Record<string, string | string[]>>): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]);
}
