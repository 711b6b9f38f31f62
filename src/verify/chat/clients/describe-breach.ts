import type { ClientRule, Named, Operators, ValueTest } from "../../../contract/chat/client-rules.js";
import type { Breach } from "./create-rule-watch.js";
import type { ExchangeView } from "./exchange-view.js";
import { type Remembered, typeName } from "./value-test.js";

/** Says in sentences which rule an exchange breaks and by what. Texts that it sends are never quoted, because they may be secret. */
export function describeBreach({ text }: ClientRule, breach: Breach, view: ExchangeView): string {
  switch (breach.kind) {
    case "not-first":
      return text;
    case "mismatch": {
      const { part, remembered } = breach;
      const subject = nameOf(part.place);
      const value = part.read(view, remembered);
      if (isOperators(part.test) && part.test.present === false) return `${text} The request has ${subject}.`;
      if (value === undefined) return `${text} The request lacks ${subject}.`;
      return `${text} ${subject} is ${describeValue(value)}; expected ${describeTest(part.test, remembered)}.`;
    }
  }
}

/** How sentences refer to a place. */
function nameOf(place: string): string {
  const [, group = "", key = ""] = /^(parameters|headers|response-headers)\.(.*)$/s.exec(place) ?? [];
  switch (group) {
    case "parameters":
      return `\`${key}\``;
    case "headers":
      return `the header \`${key}\``;
    case "response-headers":
      return `the header \`${key}\` of the response`;
  }
  if (place.startsWith("answer/")) return `\`${place.slice("answer".length)}\` of the response`;
  return names[place] ?? place;
}

const names: Readonly<Record<string, string>> = {
  bytes: "the size of the request in bytes",
  level: "the level of what the request uses",
  names: "the list of its parameters",
  numbers: "the list of its numbers",
  operation: "the operation",
  started: "its start",
  target: "the path",
};

function describeValue(value: unknown): string {
  switch (typeName(value)) {
    case "array":
      return `a list of ${(value as unknown[]).length} entries`;
    case "object":
      return "an object";
    case "string":
      return "another text";
    default:
      return String(value);
  }
}

function isOperators(test: ValueTest): test is Operators {
  return typeof test === "object" && test !== null && !Array.isArray(test);
}

/** What a test expects, as the object of "expected". */
function describeTest(test: ValueTest, remembered: Remembered): string {
  if (!isOperators(test))
    return [test]
      .flat()
      .map((one) => JSON.stringify(one))
      .join(" or ");
  return Object.entries(test)
    .map(([operator, operand]) => describeOperator(operator as keyof Operators, operand, remembered))
    .join(" and ");
}

function describeOperator(operator: keyof Operators, operand: unknown, remembered: Remembered): string {
  const bound =
    typeof operand === "object" && operand !== null ? numberNamed(operand as Named, remembered) : String(operand);
  switch (operator) {
    case "present":
      return "it to be present";
    case "type":
      return `the type ${bound}`;
    case "above":
      return `more than ${bound}`;
    case "below":
      return `less than ${bound}`;
    case "at-least":
      return `at least ${bound}`;
    case "at-most":
      return `at most ${bound}`;
    case "matches":
      return `a match of ${bound}`;
    case "contains":
      return `a text with ${bound}`;
    case "equals":
      return `the earlier ${(operand as Named).earlier}`;
    case "sha256-of":
      return `the SHA-256 digest of the earlier ${(operand as Named).earlier}`;
    case "same-double-as":
      return `the earlier ${(operand as Named).earlier}`;
    case "includes":
      return `a list with ${describeTest(operand as ValueTest, remembered)}`;
    case "count":
      return `a list with ${describeTest(operand as ValueTest, remembered)} entries`;
    case "base64":
      return `the base64 of ${describeTest(operand as ValueTest, remembered)}`;
    case "not":
      return `something else than ${describeTest(operand as ValueTest, remembered)}`;
  }
}

/** A remembered number, or the name of a remembered text, which may be secret. */
function numberNamed({ earlier }: Named, remembered: Remembered): string {
  const value = remembered[earlier];
  return typeof value === "number" ? String(value) : `the earlier ${earlier}`;
}
