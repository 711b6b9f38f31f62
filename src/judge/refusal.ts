import { parseBoundedJson } from "../base/parse-json.js";
import { valueAt } from "../contract/json-pointer.js";
import { conventionsOf, type ErrorConvention } from "../contract/rest/conventions.js";
import type { ContractDocument } from "../contract/rest/document.js";
import { type CompiledMatcher, compileMatcher } from "./compile-matcher.js";

/**
 * Whether a response refuses the request: its status is from 400 to 499, or from 500 with an error of the API, because a contract may leave
 * the status of errors open. Without such an error, a status from 500 means that the server failed.
 */
export function isRefusal(
  document: Pick<ContractDocument, "x-accord">,
  { status, text }: { readonly status: number; readonly text: string },
): boolean {
  return status >= 400 && (status < 500 || isOwnError(document, parseBoundedJson(text)));
}

/** Whether a body is an error of the API by its conventions. No body is if it has none. */
export function isOwnError(document: Pick<ContractDocument, "x-accord">, body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { error } = conventionsOf(document);
  if (error?.body === undefined) return false;
  return matchersOf(error).every(
    ([pointer, matches]) => matches(valueAt(body, pointer), () => undefined) === undefined,
  );
}

/** Whether a contract says what its own errors look like. */
export function hasOwnErrors(document: Pick<ContractDocument, "x-accord">): boolean {
  return conventionsOf(document).error?.body !== undefined;
}

type Matchers = readonly (readonly [pointer: string, matches: CompiledMatcher])[];

const compiled = new WeakMap<ErrorConvention, Matchers>();

function matchersOf(error: ErrorConvention): Matchers {
  const known = compiled.get(error);
  if (known !== undefined) return known;
  const matchers = Object.entries(error.body ?? {}).map(
    ([pointer, matcher]) => [pointer, compileMatcher(matcher)] as const,
  );
  compiled.set(error, matchers);
  return matchers;
}

/** The code of an error by the conventions of the contract; undefined if it has none. */
export function errorCode(document: Pick<ContractDocument, "x-accord">, body: unknown): unknown {
  const pointer = conventionsOf(document).error?.code;
  return pointer === undefined ? undefined : valueAt(body, pointer);
}
