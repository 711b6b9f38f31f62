import type { Matcher } from "../../../contract/matcher.js";
import { compilePointer } from "../../../contract/pointer-reader.js";
import type { ExchangePattern } from "../../../contract/rest/seen.js";
import { compileMatcher } from "../../../judge/compile-matcher.js";
import type { Scope } from "../../../judge/expressions.js";
import type { ExchangeView } from "./exchange-view.js";

/** The values of an earlier exchange by their names in the rule, and `recently` and `newest-level`. */
export type Remembered = Readonly<Record<string, unknown>>;

/** A compiled pattern of exchanges. */
export interface CallPattern {
  /** Whether a part of it tests form fields of the request. */
  readonly readsForm: boolean;
  /** Whether an exchange of this operation can match. */
  readonly concerns: (view: ExchangeView) => boolean;
  readonly matches: (view: ExchangeView, remembered: Remembered) => boolean;
  /** Finds the first part that does not match. Undefined if the exchange matches. */
  readonly mismatch: (view: ExchangeView, remembered: Remembered) => PatternPart | undefined;
}

/** A part of a pattern: a place of an exchange and what it must have. */
export interface PatternPart {
  /** The place as patterns and documents write it, such as `parameters.topic`. */
  readonly place: string;
  readonly read: (view: ExchangeView, remembered: Remembered) => unknown;
  readonly matcher: Matcher;
}

const formKeys = ["parameters", "sends", "omits", "sends-one", "names", "numbers", "level"] as const;

/** Compiles a pattern of the contract. Throws if it names an unknown place or has a malformed matcher. */
export function compilePattern(pattern: ExchangePattern = {}): CallPattern {
  const parts = Object.entries(pattern)
    .flatMap(([key, value]) => partsOf(key, value))
    .map((part) => ({ part, match: compileMatcher(part.matcher) }))
    // The operation rules out most exchanges.
    .sort((a, b) => Number(b.part.place === "operation") - Number(a.part.place === "operation"));
  const mismatch: CallPattern["mismatch"] = (view, remembered) => {
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

function partsOf(key: string, value: unknown): PatternPart[] {
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

function at(place: string, matcher: Matcher): PatternPart {
  const find = findPlace(place);
  return { place, read: place.startsWith("answer") ? (view) => find(view) : (view) => find(view) ?? null, matcher };
}

function sent(name: string, present: boolean): PatternPart {
  const read = (view: ExchangeView) => (view.names().includes(name) ? "" : undefined);
  return { place: `parameters.${name}`, read, matcher: { present } };
}

/** Reads the value at a place of an exchange, or of an entry of a list in its response. Undefined if it has none. */
export type PatternPlace = (view: ExchangeView, entry?: unknown) => unknown;

/** The places with a name of their own. */
const namedPlaces = {
  bytes: ({ exchange }) => exchange.recorded.request.bodyBytes,
  caller: ({ exchange }) => exchange.caller,
  entry: (_, entry) => entry,
  level: (view) => view.level(),
  method: ({ exchange }) => exchange.recorded.request.method,
  names: (view) => view.names(),
  numbers: (view) => view.numbers(),
  operation: ({ exchange }) => exchange.operation,
  request: (view) => view.request(),
  "retry-after": (view) => view.retryAfter(),
  started: ({ exchange }) => exchange.recorded.startedAt,
  status: ({ exchange }) => exchange.recorded.response?.status,
  target: ({ exchange }) => exchange.recorded.request.target,
} as const satisfies Readonly<Record<string, PatternPlace>>;

/** The name of a place that needs no key. */
export type PlaceName = keyof typeof namedPlaces;

/**
 * Finds the place that a text names: `parameters.<name>`, `headers.<name>`, `response-headers.<name>`, `answer<pointer>`,
 * `entry<pointer>`, or a name such as `operation`. Throws for any other text.
 */
export function findPlace(text: string): PatternPlace {
  if (Object.hasOwn(namedPlaces, text)) return namedPlaces[text as PlaceName];
  const [, group, key = ""] = /^(parameters|headers|response-headers)\.(.+)$/su.exec(text) ?? [];
  const [, document, pointer = ""] = /^(answer|entry)(\/.*)?$/su.exec(text) ?? [];
  switch (group ?? document) {
    case "parameters":
      return parameter(key);
    case "headers":
      return ({ exchange }) => exchange.recorded.request.headers[key];
    case "response-headers":
      return ({ exchange }) => exchange.recorded.response?.headers[key];
    case "answer":
      return compose(({ exchange }) => exchange.answer, compilePointer(pointer));
    case "entry":
      return compose((_, entry) => entry, compilePointer(pointer));
    default:
      throw new Error(`\`${text}\` names no place of an exchange.`);
  }
}

function compose(outer: PatternPlace, inner: (document: unknown) => unknown): PatternPlace {
  return (view, entry) => inner(outer(view, entry));
}

/**
 * A parameter, the sum of several, or the variables of a template that a pattern lacks. A missing number counts as 0 unless all are
 * missing.
 */
function parameter(key: string): PatternPlace {
  const [template, pattern] = key.split(" - ");
  if (template !== undefined && pattern !== undefined)
    return ({ exchange: { parameters } }) => unnamedVariables(own(parameters, template), own(parameters, pattern));
  const names = key.split(" + ");
  if (names.length === 1) return ({ exchange: { parameters } }) => own(parameters, key);
  return ({ exchange: { parameters } }) => {
    const values = names.map((name) => own(parameters, name)).filter((value) => typeof value === "number");
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  };
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The variables of an RFC 6570 template that are not named groups of a regular expression, in whichever syntax these are written. */
function unnamedVariables(template: unknown, pattern: unknown): string[] | undefined {
  if (typeof template !== "string" || typeof pattern !== "string") return undefined;
  const groups = new Set([...pattern.matchAll(/\(\?P?[<'](\w+)[>']/g)].map(([, name]) => name));
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].map(([, list = ""]) => list);
  const names = expressions.flatMap((list) => list.split(",")).map((name) => name.replace(/(?::\d+|\*)$/, ""));
  return names.filter((name) => !groups.has(name));
}
