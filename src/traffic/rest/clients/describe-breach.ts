import { expressionsIn } from "../../../contract/expressions.js";
import type { Matcher } from "../../../contract/matcher.js";
import type { ClientRule } from "../../../contract/rest/client-rules.js";
import { typeName } from "../../../match/compile-matcher.js";
import type { Breach } from "./create-rule-watch.js";
import type { ExchangeView } from "./exchange-view.js";
import type { Remembered } from "./pattern.js";

/**
 * Describes in sentences which rule an exchange breaks, and how. Quotes no texts that the client sends, because they
 * may be secret.
 */
export function describeBreach({ text }: ClientRule, breach: Breach, view: ExchangeView): string {
  if (breach.kind === "not-first") return text;
  const { part, remembered } = breach;
  const detail = describeValue(part.place, part.read(view, remembered), part.matcher, remembered);
  return [text, detail, ...describeEarlier(part.matcher, part.place, remembered)].join(" ");
}

function describeValue(place: string, value: unknown, matcher: Matcher, remembered: Remembered): string {
  const subject = subjectOf(place);
  const forbids = typeof matcher === "object" && matcher !== null && "present" in matcher && matcher.present === false;
  if (forbids) return `The request has ${subject}.`;
  if (value === undefined || value === null) return `The request lacks ${subject}.`;
  if (place === "started") {
    const allowed = Math.max(...expressionsIn(matcher).map((name) => Number(remembered[name])));
    return `The request starts ${Math.ceil(allowed - Number(value))} ms too early.`;
  }
  if (Array.isArray(value)) return `The number of ${subject} is ${value.length}.`;
  const shown = typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return shown ? `The value of ${subject} is ${value}.` : `The value of ${subject} is not valid here.`;
}

/** Adds the numbers and parameter names that the matcher compares with. */
function describeEarlier(matcher: Matcher, place: string, remembered: Remembered): string[] {
  if (place === "started") return [];
  return expressionsIn(matcher).flatMap((name) => {
    const value = remembered[name];
    if (value === undefined && place === "level") return [`The earlier ${name} is missing.`];
    const isListed = (place === "names" || place === "numbers") && typeof value === "string";
    return typeName(value) === "integer" || isListed ? [`The earlier ${name} is ${value}.`] : [];
  });
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
