import { expressionOf, expressionsIn, replaceExpressions } from "../../../expressions.js";
import { pointerKeys } from "../../../json-pointer.js";
import type { Matcher, Operators } from "../../../matcher.js";
import { type ArazzoTexts, NotInArazzoError } from "./texts.js";

/** What a filter is applied to. */
interface Filtered {
  readonly texts: ArazzoTexts;
  /** Whether `@` is the body of the response. */
  readonly isBody: boolean;
}

/** A criterion of the type `jsonpath`. */
export interface JsonPathCriterion {
  readonly context: string;
  readonly condition: string;
  readonly type: "jsonpath";
}

/**
 * Writes a matcher of the value at a JSON pointer into the body as a filter in a JSON path (RFC 9535). Respect puts the values of
 * expressions into it as JSON. Its filters compare nothing that they find by the index of a list, so the context is the last entry of a
 * list on the way to the value. Throws a `NotInArazzoError`.
 */
export function jsonPathCriterion(pointer: string, matcher: Matcher, texts: ArazzoTexts): JsonPathCriterion {
  const [, entry = "", rest = ""] = isAbsence(matcher) ? ["", "", pointer] : (/^(.*\/\d+)?(.*)$/.exec(pointer) ?? []);
  const at: Filtered = { texts, isBody: entry === "" };
  const condition = `$[?${filter(`@${steps(rest, texts)}`, matcher, at)}]`;
  return { context: entry === "" ? "$response.body" : `$response.body#${entry}`, condition, type: "jsonpath" };
}

/** Whether a matcher looks for nothing, which a filter finds at an index too. */
function isAbsence(matcher: Matcher): boolean {
  return typeof matcher === "object" && matcher !== null && "present" in matcher && Object.keys(matcher).length === 1;
}

function filter(path: string, matcher: Matcher, at: Filtered): string {
  if (Array.isArray(matcher)) {
    if (matcher.length === 0) throw new NotInArazzoError("a JSON path finds no empty list");
    return joined(
      matcher.map((one: Matcher, index) => filter(`${path}[${index}]`, one, at)),
      "&&",
    );
  }
  if (typeof matcher !== "object" || matcher === null) return compared(path, "==", matcher, at);
  return joined(
    Object.entries(matcher).map(([operator, operand]) => condition(path, operator as keyof Operators, operand, at)),
    "&&",
  );
}

function condition(path: string, operator: keyof Operators, operand: unknown, at: Filtered): string {
  const inner = (place: string, within = at) => filter(place, operand as Matcher, within);
  const entry = { ...at, isBody: false };
  switch (operator) {
    case "present":
      if (!operand) return `!${path}`;
      return isIndexed(path) ? path : `${path} != null && ${path}`;
    case "if-present":
      return joined([`!${path}`, ...others(operand, at).map((one) => `!${one}`), inner(path)], "||");
    case "above":
      return compared(path, ">", operand, at);
    case "below":
      return compared(path, "<", operand, at);
    case "at-least":
      return compared(path, ">=", operand, at);
    case "at-most":
      return compared(path, "<=", operand, at);
    case "equals":
      return compared(path, "==", operand, at);
    case "any":
      return joined(
        (operand as readonly Matcher[]).map((one) => filter(path, one, at)),
        "||",
      );
    case "all":
      return joined(
        (operand as readonly Matcher[]).map((one) => filter(path, one, at)),
        "&&",
      );
    case "at":
      return joined(
        Object.entries(operand as Readonly<Record<string, Matcher>>).map(([pointer, one]) =>
          filter(`${path}${steps(pointer, at.texts)}`, one, at),
        ),
        "&&",
      );
    case "includes":
      return `${path}[?${inner("@", entry)}]`;
    case "every":
      return `${path} && !${path}[?!(${inner("@", entry)})]`;
    case "count":
      return inner(`length(${path})`);
    case "not":
      return typeof operand === "object" && operand !== null ? `!(${inner(path)})` : compared(path, "!=", operand, at);
    case "matches":
    case "contains":
    case "hides":
    case "entries":
    case "type":
    case "names":
    case "base64":
    case "sha256-of":
    case "same-double-as":
      throw new NotInArazzoError(`a JSON path has nothing like \`${operator}\``);
  }
}

function compared(path: string, sign: string, operand: unknown, at: Filtered): string {
  if (isIndexed(path))
    throw new NotInArazzoError("Respect compares no value by the index of a list within a JSON path");
  return `${path} ${sign} ${literal(operand, at)}`;
}

function isIndexed(path: string): boolean {
  return /^@[^?]*\[\d+\]/.test(path);
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
      if (expression !== undefined) return `[${literal(expression, { texts, isBody: false })}]`;
      if (/^\d+$/.test(key)) return `[${key}]`;
      return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
}

/** The other values of the response to which a matcher compares. */
function others(matcher: unknown, { isBody }: Filtered): string[] {
  const named = isBody ? expressionsIn(matcher).filter((expression) => expression.startsWith("response.")) : [];
  return named.map(ofBody);
}

function ofBody(expression: string): string {
  return `@.${expression.slice("response.".length)}`;
}

function literal(value: unknown, { texts, isBody }: Filtered): string {
  if (typeof value === "object" && value !== null)
    throw new NotInArazzoError("a JSON path compares no lists or objects");
  if (typeof value !== "string") return String(value);
  const expression = expressionOf(value);
  if (isBody && expression?.startsWith("response.")) return ofBody(expression);
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
