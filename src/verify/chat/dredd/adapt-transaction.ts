import { setTimeout as delay } from "node:timers/promises";
import { mediaType } from "../../../chat/codec/media-type.js";
import { userAgent } from "../../../versions.js";
import { NoAnswerError, type SendLimits, sendRequest, waitAfter } from "../exchange/send-request.js";
import { isRefusal } from "../judge/refusal.js";
import type { DreddTransaction } from "./dredd-api.js";
import type { ReadyCase } from "./prepare-case.js";

/** Makes a transaction send the request of a case, and expect the response that the contract describes. */
export function applyCase(transaction: DreddTransaction, { request, planned }: ReadyCase): void {
  const { headers, bodySchema } = planned;
  const { pathname } = new URL(request.url);
  const query = request.url.indexOf("?");
  transaction.fullPath = pathname + (query === -1 ? "" : request.url.slice(query));
  transaction.request.headers = { ...transaction.request.headers, "User-Agent": userAgent("chat"), ...request.headers };
  transaction.request.body = request.bytes;
  const { mediaType: type } = planned.testCase.response;
  transaction.expected.headers = {
    ...Object.fromEntries(headers.map((name) => [name, "any value"])),
    ...(type === undefined ? {} : { "Content-Type": type }),
  };
  transaction.expected.statusCode = String(planned.testCase.response.status);
  if (bodySchema === undefined) delete transaction.expected.bodySchema;
  else transaction.expected.bodySchema = JSON.stringify(bodySchema);
}

/**
 * Widens the expectation of a transaction to everything that the contract allows, once the response is known: any
 * media type parameters, which Dredd would compare as text, and the status of any refusal if the case does not fix it. For another
 * status, removes the headers of the expected one.
 */
export function widenExpectation({ real, expected }: DreddTransaction, { planned }: ReadyCase): void {
  if (real === undefined) return;
  const { statusCode } = real;
  const { open, recommendedBy } = planned.testCase;
  const isFixed = open === undefined && recommendedBy === undefined;
  if (
    !isFixed &&
    isRefusal({ status: statusCode, text: real.body ?? "" }) &&
    expected.statusCode !== String(statusCode)
  ) {
    expected.statusCode = String(statusCode);
    for (const name of planned.headers) delete expected.headers[name];
  }
  const [type] = [real.headers["content-type"] ?? []].flat();
  if (type !== undefined && mediaType(type) === expected.headers["Content-Type"])
    expected.headers["Content-Type"] = type;
}

/** The result of sending a request again. */
export interface RetryResult {
  /** Why there is no response to judge. */
  readonly refusal?: string;
  /** Why the response is wrong regardless of the expectation. */
  readonly fault?: string;
}

/**
 * Repeats a request that was answered 429, after the wait that the server asks for, and replaces the response of the transaction: Dredd
 * itself sends a request once. Never rejects.
 */
export async function retryTransaction(
  transaction: DreddTransaction,
  { request }: ReadyCase,
  options: Omit<SendLimits, "signal">,
): Promise<RetryResult> {
  try {
    const wait = waitAfter(new Headers(joinValues(transaction.real?.headers ?? {})));
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

/** Joins repeated headers into one value each. */
export function joinValues(headers: Readonly<Record<string, string | string[]>>): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]);
}
