import type { ClientRule } from "../../../contract/chat/client-rules.js";
import type { Operators, ValueTest } from "../../../contract/chat/seen.js";
import type { Breach } from "./create-rule-watch.js";
import type { ExchangeView } from "./exchange-view.js";
import { type Remembered, typeName } from "./value-test.js";

/**
 * Describes in sentences which rule an exchange breaks, and how. Quotes no texts that the client sends, because they
 * may be secret.
 */
export function describeBreach({ text }: ClientRule, breach: Breach, view: ExchangeView): string {
  switch (breach.kind) {
    case "not-first":
      return text;
    case "mismatch": {
      const { part, remembered } = breach;
      const detail = describeValue(part.place, part.read(view, remembered), part.test, remembered);
      return [text, detail, ...describeEarlier(part.test, part.place, remembered)].join(" ");
    }
  }
}

function describeValue(place: string, value: unknown, test: ValueTest, remembered: Remembered): string {
  const subject = subjectOf(place);
  if (isOperators(test) && test.present === false) return `The request has ${subject}.`;
  if (value === undefined) return `The request lacks ${subject}.`;
  if (place === "started") return `The request starts ${tooEarly(Number(value), test, remembered)} ms too early.`;
  if (Array.isArray(value)) return `The number of ${subject} is ${value.length}.`;
  const shown = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" || value === null;
  return shown ? `The value of ${subject} is ${value}.` : `The value of ${subject} is not valid here.`;
}

function tooEarly(startedAt: number, test: ValueTest, remembered: Remembered): number {
  const bound = earlierNames(test).map((name) => Number(remembered[name]));
  return Math.ceil(Math.max(...bound) - startedAt);
}

/** Adds the numbers and parameter names that the test compares with. */
function describeEarlier(test: ValueTest, place: string, remembered: Remembered): string[] {
  if (place === "started") return [];
  return earlierNames(test).flatMap((name) => {
    const value = remembered[name];
    if (value === undefined && place === "level") return [`The earlier ${name} is missing.`];
    const shown =
      typeName(value) === "integer" || (place === "names" || place === "numbers" ? typeof value === "string" : false);
    return shown ? [`The earlier ${name} is ${value}.`] : [];
  });
}

/** The names of remembered values in a test. */
function earlierNames(test: unknown): string[] {
  if (typeof test !== "object" || test === null || Array.isArray(test)) return [];
  return Object.entries(test).flatMap(([key, value]) =>
    key === "earlier" && typeof value === "string" ? [value] : earlierNames(value),
  );
}

/** How sentences refer to a place. */
function subjectOf(place: string): string {
  const [, group = "", key = ""] = /^(parameters|headers|response-headers|earlier)\.(.*)$/s.exec(place) ?? [];
  switch (group) {
    case "parameters":
      return `\`${key}\``;
    case "headers":
      return `the header \`${key}\``;
    case "response-headers":
      return `the header \`${key}\` of the response`;
    case "earlier":
      return `the earlier ${key}`;
    default:
      return subjects[place] ?? `\`${place}\``;
  }
}

const subjects: Readonly<Record<string, string>> = {
  bytes: "its size in bytes",
  level: "the level that it needs",
  names: "its parameters",
  numbers: "its numbers",
};

function isOperators(test: ValueTest): test is Operators {
  return typeof test === "object" && test !== null && !Array.isArray(test);
}
