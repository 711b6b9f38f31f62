import { compilePointer } from "../../../contract/pointer-reader.js";
import type { ExchangeView } from "./exchange-view.js";

/** Reads the value at a place of an exchange, or of an entry of a list in its response. Undefined if it has none. */
export type Place = (view: ExchangeView, entry?: unknown) => unknown;

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
} as const satisfies Readonly<Record<string, Place>>;

/** The name of a place that needs no key. */
export type PlaceName = keyof typeof namedPlaces;

/**
 * Finds the place that a text names: `parameters.<name>`, `headers.<name>`, `response-headers.<name>`, `answer<pointer>`,
 * `entry<pointer>`, or a name such as `operation`. Throws for any other text.
 */
export function findPlace(text: string): Place {
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

function compose(outer: Place, inner: (document: unknown) => unknown): Place {
  return (view, entry) => inner(outer(view, entry));
}

/**
 * A parameter, the sum of several, or the variables of a template that a pattern lacks. A missing number counts as 0 unless all are
 * missing.
 */
function parameter(key: string): Place {
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
