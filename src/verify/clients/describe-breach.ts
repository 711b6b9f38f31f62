import type { ClientRule } from "../../contract/rest/client-rules.js";
import type { Operators, ValueTest } from "../../contract/rest/seen.js";
import type { Breach } from "./create-rule-watch.js";
import type { ExchangeView } from "./exchange-view.js";
import { type Remembered, typeName } from "./value-test.js";

/**
 * Describes in sentences which rule an exchange breaks, and how. Quotes no texts that the client sends, because they
 * may be secret.
 */
export function describeBreach({ text }: ClientRule, breach: Breach, view: ExchangeView): string {
  if (breach.kind === "not-first") return text;
  const { part, remembered } = breach;
  const detail = describeValue(part.place, part.read(view, remembered), part.test, remembered);
  return [text, detail, ...describeEarlier(part.test, part.place, remembered)].join(" ");
}

function describeValue(place: string, value: unknown, test: ValueTest, remembered: Remembered): string {
  const subject = subjectOf(place);
  if (isOperators(test) && test.present === false) return `The request has ${subject}.`;
  if (value === undefined) return `The request lacks ${subject}.`;
  if (place === "started") {
    const allowed = Math.max(...earlierNames(test).map((name) => Number(remembered[name])));
    return `The request starts ${Math.ceil(allowed - Number(value))} ms too early.`;
  }
  if (Array.isArray(value)) return `The number of ${subject} is ${value.length}.`;
  const shown = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" || value === null;
  return shown ? `The value of ${subject} is ${value}.` : `The value of ${subject} is not valid here.`;
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
  if (group === "") return subjects[place] ?? `\`${place}\``;
  if (group === "earlier") return `the earlier ${key}`;
  if (group === "parameters") return `\`${key}\``;
  return `the header \`${key}\`${group === "headers" ? "" : " of the response"}`;
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
