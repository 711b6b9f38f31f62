import { isDeepStrictEqual } from "node:util";
import type { CallStep, Expectation } from "../../contract/check.js";
import { valueAt } from "../../contract/json-pointer.js";
import { textsIn } from "../../contract/map-texts.js";
import type { Matcher } from "../../contract/matcher.js";
import { bytesOf } from "../../judge/bytes.js";
import { compileMatcher, isFilled, type Mismatch } from "../../judge/compile-matcher.js";
import type { ContractProblem } from "../../judge/content-problems.js";
import type { Exchange } from "../../judge/exchange.js";
import { MissingValueError, resolveValue, type Scope } from "../../judge/expressions.js";
import { describeMismatch, scopeOfExchange } from "../../judge/judge-claims.js";
import { createQuoter } from "../../judge/quote.js";

/** How a response differs from what its step expects. */
export interface Judgement {
  /** How it differs from what the step expects, one sentence each. */
  readonly unexpected: readonly string[];
  /** What the contract forbids, whatever was sent. */
  readonly forbidden: readonly ContractProblem[];
  readonly isStatusWrong: boolean;
  /** Whether the server accepted a request that it must refuse. */
  readonly letThrough: boolean;
  /** The expected value that is absent and may be, so that the response shows nothing. */
  readonly unseen?: string;
}

/** Compares a response with the contract and with what its step expects. `mask` masks quoted values. */
export function judgeCall(
  { expect, readBack, call }: CallStep,
  exchange: Exchange,
  scope: Scope,
  mask: (text: string) => string,
): Judgement {
  const letThrough = isWronglyAccepted(exchange.status, expect.status);
  // A redirect is a status like any other where an operation documents it, or none says whether a URL may redirect.
  const isRedirect = Math.floor(Number(exchange.status) / 100) === 3;
  const mayRedirect = isRedirect && (call === undefined || exchange.contractProblems().length === 0);
  if (exchange.fault !== undefined && !mayRedirect)
    return { unexpected: [], forbidden: [{ text: mask(exchange.fault) }], isStatusWrong: false, letThrough };
  // A read before or after a refused request only matters for its difference.
  if (readBack !== undefined) return { unexpected: [], forbidden: [], isStatusWrong: false, letThrough: false };
  const own = scopeOfExchange(exchange, scope);
  const isOtherSuccess = expect.status === "2XX" && mayRedirect;
  const status = isOtherSuccess ? undefined : statusProblem(expect, exchange, own, mask);
  const forbidden = isOpen(expect, exchange) ? [] : exchange.contractProblems();
  // What an unexpected response holds is a consequence.
  const values = status === undefined ? valueProblems(expect, exchange, own, mask) : [status];
  const unseen = Object.entries(expect.body ?? {}).find(([pointer, matcher]) =>
    isUnseen(pointer, matcher, exchange, own),
  );
  return {
    unexpected: [...values, ...leaks(expect, exchange, own)],
    forbidden,
    isStatusWrong: status !== undefined,
    letThrough,
    unseen: unseen?.[0],
  };
}

function isSuccess({ status }: Exchange): boolean {
  return Number(status) >= 200 && Number(status) < 300;
}

/** Whether a response is not compared with the contract. */
export function isOpen({ open = [] }: Expectation, { status }: Exchange): boolean {
  return open === "any" || open.includes(Number(status));
}

/** Finds values that the response must not show. */
function leaks({ hides = [] }: Expectation, { text, request }: Exchange, scope: Scope): string[] {
  const texts = hides.flatMap((value) => textsIn(resolveValue(value, scope)));
  const own = `${JSON.stringify(scope(["credentials"]) ?? {})} ${request}`;
  const isShown = texts.some((one) => text.includes(one) && !own.includes(one));
  return isShown ? ["body: it shows data that it must hide"] : [];
}

function statusProblem(
  expect: Expectation,
  exchange: Exchange,
  scope: Scope,
  mask: (text: string) => string,
): string | undefined {
  const { status, recommendedBy } = expect;
  const got = () => `got ${exchange.status} with ${createQuoter(mask)(exchange.body ?? exchange.text)}`;
  if (status === "any" || (expect.open !== "any" && isOpen(expect, exchange))) return undefined;
  if (status === "2XX") return isSuccess(exchange) ? undefined : `status: expected success, ${got()}`;
  if (status === "4XX") return exchange.isRefusal ? undefined : `status: expected an error of the API, ${got()}`;
  if (typeof status !== "number") {
    const wrong = compileMatcher(status)(exchange.status, scope);
    return wrong && `status: expected ${wrong.expected}, ${got()}`;
  }
  if (exchange.status === status || (recommendedBy !== undefined && exchange.isRefusal)) return undefined;
  return `status: expected ${status}, ${got()}`;
}

function valueProblems(
  { body, headers, bytes }: Expectation,
  exchange: Exchange,
  scope: Scope,
  mask: (text: string) => string,
): string[] {
  const describe = (place: string, problem: Mismatch | undefined) =>
    problem === undefined ? [] : [describeMismatch(problem, mask, place)];
  const ofBody = body === undefined ? undefined : compileMatcher({ at: body });
  return [
    ...describe("", ofBody?.(exchange.body, scope)),
    ...Object.entries(headers ?? {}).flatMap(([name, matcher]) =>
      describe(`header ${name}`, compileMatcher(matcher)(exchange.headers.get(name) ?? undefined, scope)),
    ),
    ...(bytes === undefined || isDeepStrictEqual(Buffer.from(exchange.bytes), bytesOf(bytes))
      ? []
      : [`body: expected ${bytesOf(bytes).length} other bytes, got ${exchange.bytes.length}`]),
  ];
}

/** Whether a matcher is about a value that is absent and may be. */
function isUnseen(pointer: string, matcher: Matcher, { body }: Exchange, scope: Scope): boolean {
  if (typeof matcher !== "object" || matcher === null || !("if-present" in matcher)) return false;
  if (!isFilled(valueAt(body, pointer))) return true;
  try {
    compileMatcher(matcher["if-present"] as Matcher)(valueAt(body, pointer), scope);
    return false;
  } catch (error) {
    if (error instanceof MissingValueError) return true;
    throw error;
  }
}

/** Whether a server accepted a request that it must refuse. A refusal for another reason, also before the login, accepts nothing. */
function isWronglyAccepted(status: Exchange["status"], expected: Expectation["status"]): boolean {
  return (expected === "4XX" || Number(expected) >= 400) && Number(status) < 300;
}
