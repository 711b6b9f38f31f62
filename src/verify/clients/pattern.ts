import type { ExchangePattern, ValueTest } from "../../contract/rest/seen.js";
import type { ExchangeView } from "./exchange-view.js";
import { findPlace } from "./place.js";
import { compileTest, type Remembered } from "./value-test.js";

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
  readonly test: ValueTest;
}

const formKeys = ["parameters", "sends", "omits", "sends-one", "names", "numbers", "level"] as const;

/** Compiles a pattern of the contract. Throws if it names an unknown place. */
export function compilePattern(pattern: ExchangePattern = {}): Pattern {
  const parts = Object.entries(pattern)
    .flatMap(([key, value]) => partsOf(key, value))
    .map((part) => ({ part, passes: compileTest(part.test) }))
    // The operation rules out most exchanges.
    .sort((a, b) => Number(b.part.place === "operation") - Number(a.part.place === "operation"));
  const { operation } = pattern;
  const named = typeof operation === "object" && !Array.isArray(operation) ? undefined : [operation ?? []].flat();
  const operations = operation === undefined || named === undefined ? undefined : new Set<unknown>(named);
  const mismatch: Pattern["mismatch"] = (view, remembered) =>
    parts.find(({ part, passes }) => !passes(part.read(view, remembered), remembered))?.part;
  const readsForm = formKeys.some((key) => pattern[key] !== undefined);
  const concerns = ({ exchange }: ExchangeView) => operations === undefined || operations.has(exchange.operation);
  return { readsForm, concerns, mismatch, matches: (view, remembered) => mismatch(view, remembered) === undefined };
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
      return [{ place, read: (view) => names.filter((name) => view.names().includes(name)), test: { count: 1 } }];
    }
    case "earlier":
      return tests(value).map(([name, test]) => ({
        place: `earlier.${name}`,
        read: (_, remembered) => remembered[name],
        test,
      }));
    case "parameters":
    case "headers":
    case "response-headers":
      return tests(value).map(([name, test]) => at(`${key}.${name}`, test));
    case "answer":
      return tests(value).map(([pointer, test]) => at(`${key}${pointer}`, test));
    default:
      return [at(key, value as ValueTest)];
  }
}

function tests(value: unknown): [string, ValueTest][] {
  return Object.entries(value as Record<string, ValueTest>);
}

function at(place: string, test: ValueTest): Part {
  const find = findPlace(place);
  return { place, read: (view) => find(view), test };
}

function sent(name: string, present: boolean): Part {
  const read = (view: ExchangeView) => (view.names().includes(name) ? "" : undefined);
  return { place: `parameters.${name}`, read, test: { present } };
}
