import { expressionOf, expressionsIn, replaceExpressions } from "../../../expressions.js";
import { pointerKeys } from "../../../json-pointer.js";
import type { Matcher, Operators } from "../../../matcher.js";
import { type ArazzoTexts, NotInArazzoError } from "./texts.js";

/**
 * Writes a matcher of the value at a JSON pointer as the condition of a filter in a JSON path (RFC 9535). Respect puts the values of
 * expressions into it as JSON. Throws a `NotInArazzoError`.
 */
export function jsonPathFilter(pointer: string, matcher: Matcher, texts: ArazzoTexts): string {
  return filter(`@${steps(pointer, texts)}`, matcher, texts);
}

function filter(path: string, matcher: Matcher, texts: ArazzoTexts): string {
  if (Array.isArray(matcher)) {
    if (matcher.length === 0) throw new NotInArazzoError("a JSON path finds no empty list");
    return joined(
      matcher.map((one: Matcher, index) => filter(`${path}[${index}]`, one, texts)),
      "&&",
    );
  }
  if (typeof matcher !== "object" || matcher === null) return `${path} == ${literal(matcher as string, texts)}`;
  return joined(
    Object.entries(matcher).map(([operator, operand]) => condition(path, operator as keyof Operators, operand, texts)),
    "&&",
  );
}

function condition(path: string, operator: keyof Operators, operand: unknown, texts: ArazzoTexts): string {
  const inner = (at: string) => filter(at, operand as Matcher, texts);
  switch (operator) {
    case "present":
      return operand ? `${path} != null && ${path}` : `!${path}`;
    case "if-present":
      return joined([`!${path}`, ...expressionPaths(operand).map((one) => `!${one}`), inner(path)], "||");
    case "above":
      return `${path} > ${literal(operand, texts)}`;
    case "below":
      return `${path} < ${literal(operand, texts)}`;
    case "at-least":
      return `${path} >= ${literal(operand, texts)}`;
    case "at-most":
      return `${path} <= ${literal(operand, texts)}`;
    case "equals":
      return `${path} == ${literal(operand, texts)}`;
    case "any":
      return joined(
        (operand as readonly Matcher[]).map((one) => filter(path, one, texts)),
        "||",
      );
    case "all":
      return joined(
        (operand as readonly Matcher[]).map((one) => filter(path, one, texts)),
        "&&",
      );
    case "at":
      return joined(
        Object.entries(operand as Readonly<Record<string, Matcher>>).map(([pointer, one]) =>
          filter(`${path}${steps(pointer, texts)}`, one, texts),
        ),
        "&&",
      );
    case "includes":
      return `${path}[?${inner("@")}]`;
    case "every":
      return `${path} && !${path}[?!(${inner("@")})]`;
    case "count":
      return inner(`length(${path})`);
    case "not":
      return typeof operand === "object" && operand !== null
        ? `!(${inner(path)})`
        : `${path} != ${literal(operand, texts)}`;
    case "matches":
    case "contains":
    case "type":
    case "names":
    case "base64":
    case "sha256-of":
    case "same-double-as":
      throw new NotInArazzoError(`a JSON path has nothing like \`${operator}\``);
  }
}

/** Conditions in parentheses where they need them. */
function joined(conditions: readonly string[], sign: "&&" | "||"): string {
  if (conditions.length === 1) return conditions[0] ?? "";
  return conditions.map((one) => (/&&|\|\|/.test(one) ? `(${one})` : one)).join(` ${sign} `);
}

/** Converts `/messages/0/id` to `.messages[0].id`. */
function steps(pointer: string, texts: ArazzoTexts): string {
  if (pointer.startsWith("$")) throw new NotInArazzoError("a criterion is about the response");
  return pointerKeys(pointer)
    .map((key) => {
      const expression = /^\{(\$.+)\}$/.exec(key)?.[1];
      if (expression !== undefined) return `[${literal(expression, texts)}]`;
      if (/^\d+$/.test(key)) return `[${key}]`;
      return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
}

function literal(value: unknown, texts: ArazzoTexts): string {
  if (typeof value === "object" && value !== null)
    throw new NotInArazzoError("a JSON path compares no lists or objects");
  if (typeof value !== "string") return String(value);
  const expression = expressionOf(value);
  if (expression?.startsWith("response.")) return responsePath(expression);
  if (expression !== undefined) return `{${texts.reference(expression)}}`;
  if (expressionsIn(value).length === 0) {
    const text = value.replace(/^\$\$/, "");
    if (text.includes("{$")) throw new NotInArazzoError("Respect would evaluate the text");
    return JSON.stringify(text);
  }
  // The digits of a number may stand beside an expression.
  if (!/^\d*$/.test(replaceExpressions(value, () => ""))) throw new NotInArazzoError("a JSON path joins no texts");
  return replaceExpressions(value, (one) => `{${texts.reference(one)}}`);
}

/** The other values of the response that a matcher names: without them, `if-present` compares nothing. */
function expressionPaths(matcher: unknown): string[] {
  return expressionsIn(matcher)
    .filter((expression) => expression.startsWith("response."))
    .map(responsePath);
}

/** Within a filter, `$` is the list that Respect puts the body into. */
function responsePath(expression: string): string {
  return `$[0].${expression.split(".").slice(1).join(".")}`;
}
