import { isDeepStrictEqual } from "node:util";
import type { Expectation, Expected } from "../contract/check.js";
import { valueAt } from "../contract/json-pointer.js";
import { textsIn } from "../contract/map-texts.js";
import type { Matcher } from "../contract/matcher.js";
import { bytesOf } from "./bytes.js";
import { compileMatcher, isFilled, type Mismatch } from "./compile-matcher.js";
import type { Mask } from "./excerpt.js";
import type { Exchange } from "./exchange.js";
import { MissingValueError, resolveValue, type Scope } from "./expressions.js";
import { createQuoter } from "./quote.js";

/** What a response says about expectations. */
export interface JudgedExpectations {
  readonly unmet: readonly Unmet[];
  /** The rules that the response does not show, with the reason. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** An expectation that a response does not meet. */
export interface Unmet {
  readonly expectation: Expectation;
  /** How the response differs from it, one sentence each. */
  readonly problems: readonly string[];
  readonly isStatusWrong: boolean;
}

/** Judges each expectation by itself. `mask` masks quoted values. */
export function judgeExpectations(
  expectations: readonly Expectation[],
  exchange: Exchange,
  scope: Scope,
  mask: Mask,
): JudgedExpectations {
  const own = scopeOfExchange(exchange, scope);
  const unmet: Unmet[] = [];
  const hidden = new Map<string, string>();
  for (const expectation of expectations) {
    const { on, note, rules = [], shownBy } = expectation;
    if (on !== undefined && compileMatcher(on)(exchange.status, own) !== undefined) continue;
    const status = statusProblem(expectation, exchange, own, mask);
    // What a response with an unexpected status holds is a consequence.
    const values = status === undefined ? valueProblems(expectation, exchange, own, mask) : [status];
    const problems = [...values, ...leaks(expectation, exchange, own)];
    const noted = note === undefined ? problems : problems.map((problem) => `${problem}; ${note}`);
    if (problems.length > 0) unmet.push({ expectation, problems: noted, isStatusWrong: status !== undefined });
    const unseen = shownBy?.find((evidence) => !isMet(evidence, exchange, own));
    if (unseen !== undefined) for (const rule of rules) hidden.set(rule, reasonOf(unseen, exchange));
  }
  return { unmet, hidden };
}

function isMet(expected: Expected, exchange: Exchange, scope: Scope): boolean {
  const isAsExpected = statusProblem(expected, exchange, scope, String) === undefined;
  return isAsExpected && valueProblems(expected, exchange, scope, String).length === 0;
}

/** Why a response shows no rule; of an RPC, with the code that it got instead. */
function reasonOf({ otherwise, status: wanted }: Expected & { readonly otherwise: string }, { status }: Exchange) {
  return wanted === undefined || status === "ok" ? otherwise : `${otherwise}: ${status}`;
}

/** Whether a response is not compared with the contract. */
export function isOpen({ open = [] }: Expected, { status }: Exchange): boolean {
  return open === "any" || open.includes(Number(status));
}

function statusProblem(expected: Expected, exchange: Exchange, scope: Scope, mask: Mask): string | undefined {
  const { status, recommendedBy, open } = expected;
  const quote = createQuoter(mask);
  const wrong = (wanted: string) =>
    `status: expected ${wanted}, got ${quote(exchange.status)} with ${quote(exchange.body ?? exchange.text)}`;
  if (status === undefined || (open !== "any" && isOpen(expected, exchange))) return undefined;
  if (status === "2XX") return isSuccess(exchange) ? undefined : wrong("success");
  if (status === "4XX") return exchange.isRefusal ? undefined : wrong("an error of the API");
  if (typeof status === "number" && recommendedBy !== undefined && exchange.isRefusal) return undefined;
  const mismatch = compileMatcher(status)(exchange.status, scope);
  return mismatch && wrong(mask(mismatch.expected));
}

function isSuccess({ status }: Exchange): boolean {
  return Number(status) >= 200 && Number(status) < 300;
}

function valueProblems(
  { body, headers = {}, bytes }: Expected,
  exchange: Exchange,
  scope: Scope,
  mask: Mask,
): string[] {
  const describe = (place: string, problem: Mismatch | undefined) =>
    problem === undefined ? [] : [describeMismatch(problem, mask, place)];
  return [
    ...(body === undefined ? [] : describe("", compileMatcher({ at: body })(exchange.body, scope))),
    ...Object.entries(headers).flatMap(([name, matcher]) =>
      describe(`header ${name}`, compileMatcher(matcher)(exchange.headers.get(name) ?? undefined, scope)),
    ),
    ...(bytes === undefined || isDeepStrictEqual(Buffer.from(exchange.bytes), bytesOf(bytes))
      ? []
      : [`body: expected ${bytesOf(bytes).length} other bytes, got ${exchange.bytes.length}`]),
  ];
}

/** Finds values that the response must not show. */
function leaks({ hides = [] }: Expected, { text, request }: Exchange, scope: Scope): string[] {
  const texts = hides.flatMap((value) => textsIn(resolveValue(value, scope)));
  const own = `${JSON.stringify(scope(["credentials"]) ?? {})} ${request}`;
  const isShown = texts.some((one) => text.includes(one) && !own.includes(one));
  return isShown ? ["body: it shows data that it must hide"] : [];
}

/** The place of an expected value that is absent and may be. */
export function unseenPlace({ body = {} }: Expected, exchange: Exchange, scope: Scope): string | undefined {
  const own = scopeOfExchange(exchange, scope);
  return Object.keys(body).find((pointer) => isUnseen(pointer, body[pointer] ?? null, exchange, own));
}

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

/** The values that matchers refer to: those of earlier steps, `$response.<member of the body>`, and `$exchange.<fact>`. */
function scopeOfExchange({ body, facts }: Exchange, scope: Scope): Scope {
  return (path) => {
    const [head = "", ...rest] = path;
    const pointer = rest.map((key) => `/${key}`).join("");
    if (head === "response") return valueAt(body, pointer);
    return head === "exchange" ? valueAt(facts, pointer) : scope(path);
  };
}

/** Describes a value that is not as expected, in a sentence. */
function describeMismatch({ at, expected, actual }: Mismatch, mask: Mask, place: string): string {
  return `${place}${at.replace(/^\$exchange\.\w+\//, "")}: expected ${mask(expected)}, got ${createQuoter(mask)(actual)}`;
}
