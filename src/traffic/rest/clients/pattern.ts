import type { Matcher } from "../../../contract/matcher.js";
import type { ExchangePattern } from "../../../contract/rest/seen.js";
import { compileMatcher } from "../../../match/compile-matcher.js";
import type { Scope } from "../../../match/expressions.js";
import type { ExchangeView } from "./exchange-view.js";
import { findPlace } from "./place.js";

/** The values of an earlier exchange by their names in the rule, and `recently` and `newest-level`. */
export type Remembered = Readonly<Record<string, unknown>>;

/** A compiled pattern of exchanges. */
export interface Pattern {
  /** Whether a part of it tests form fields of the request. */
  readonly readsForm: boolean;
  /** Whether an exchange of this operation can match. */
  readonly concerns: (view: ExchangeView) => boolean;
  readonly matches: (view: ExchangeView, remembered: Remembered) => boolean;
  /** Finds the first part that does not match. Undefined if the exchange matches. */
  readonly mismatch: (view: ExchangeView, remembered: Remembered) => Part | undefined;
}

/** A part of a pattern: a place of an exchange and what it must have. */
export interface Part {
  /** The place as patterns and documents write it, such as `parameters.topic`. */
  readonly place: string;
  readonly read: (view: ExchangeView, remembered: Remembered) => unknown;
  readonly matcher: Matcher;
}

const formKeys = ["parameters", "sends", "omits", "sends-one", "names", "numbers", "level"] as const;

/** Compiles a pattern of the contract. Throws if it names an unknown place or has a malformed matcher. */
export function compilePattern(pattern: ExchangePattern = {}): Pattern {
  const parts = Object.entries(pattern)
    .flatMap(([key, value]) => partsOf(key, value))
    .map((part) => ({ part, match: compileMatcher(part.matcher) }))
    // The operation rules out most exchanges.
    .sort((a, b) => Number(b.part.place === "operation") - Number(a.part.place === "operation"));
  const mismatch: Pattern["mismatch"] = (view, remembered) => {
    // A value that the earlier exchange lacks equals one that the later one lacks, and counts as 0 in comparisons.
    const scope: Scope = (path) => remembered[path.join(".")] ?? null;
    return parts.find(({ part, match }) => match(part.read(view, remembered), scope) !== undefined)?.part;
  };
  const named = operationsIn(pattern);
  const operations = named.length === 0 ? undefined : new Set<unknown>(named);
  const concerns = ({ exchange }: ExchangeView) => operations === undefined || operations.has(exchange.operation);
  return {
    readsForm: formKeys.some((key) => pattern[key] !== undefined),
    concerns,
    mismatch,
    matches: (view, remembered) => concerns(view) && mismatch(view, remembered) === undefined,
  };
}

/** The operations that a pattern names. Empty if it does not name them. */
export function operationsIn({ operation = [] }: ExchangePattern): string[] {
  const names = [typeof operation === "object" && operation !== null && "any" in operation ? operation.any : operation];
  return names.flat().flatMap((name) => (typeof name === "string" && !name.startsWith("$") ? name : []));
}

function partsOf(key: string, value: unknown): Part[] {
  switch (key) {
    case "sends":
      return (value as string[]).map((name) => sent(name, true));
    case "omits":
      return (value as string[]).map((name) => sent(name, false));
    case "sends-one": {
      const names = value as string[];
      const place = `one of ${names.join(", ")}`;
      return [{ place, read: (view) => names.filter((name) => view.names().includes(name)), matcher: { count: 1 } }];
    }
    case "earlier":
      return matchers(value).map(([name, matcher]) => ({
        place: `earlier.${name}`,
        read: (_, remembered) => remembered[name],
        matcher,
      }));
    case "parameters":
    case "headers":
    case "response-headers":
      return matchers(value).map(([name, matcher]) => at(`${key}.${name}`, matcher));
    case "answer":
      return matchers(value).map(([pointer, matcher]) => at(`${key}${pointer}`, matcher));
    default:
      return [at(key, value as Matcher)];
  }
}

function matchers(value: unknown): [string, Matcher][] {
  return Object.entries(value as Record<string, Matcher>);
}

function at(place: string, matcher: Matcher): Part {
  const find = findPlace(place);
  return { place, read: place.startsWith("answer") ? (view) => find(view) : (view) => find(view) ?? null, matcher };
}

function sent(name: string, present: boolean): Part {
  const read = (view: ExchangeView) => (view.names().includes(name) ? "" : undefined);
  return { place: `parameters.${name}`, read, matcher: { present } };
}
