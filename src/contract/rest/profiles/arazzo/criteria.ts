import type { Expected } from "../../../check.js";
import { expressionOf, expressionsIn } from "../../../expressions.js";
import type { Matcher, Operators } from "../../../matcher.js";
import { jsonPathCriterion } from "./json-path.js";
import { type ArazzoTexts, NotInArazzoError } from "./texts.js";

/** An Arazzo criterion of a step. */
export interface Criterion {
  readonly condition: string;
  readonly context?: string;
  readonly type?: "jsonpath" | "regex";
}

/**
 * Any refusal. Excludes 429, which leaves open whether the request would be refused and makes Respect repeat it. The schema of the
 * response excludes failures of the server, which lack the error envelope.
 */
const refusal = "$statusCode >= 400 && $statusCode != 429";

/** The operators of simple conditions. */
const bounds = { above: ">", below: "<", "at-least": ">=", "at-most": "<=" } as const;

/** Converts an expected response to the criteria of Arazzo. Throws a `NotInArazzoError`. */
export function criteriaOf(
  { status, recommendedBy, body = {}, headers = {}, ...others }: Expected,
  texts: ArazzoTexts,
): Criterion[] {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new NotInArazzoError(`Arazzo has nothing like \`${other}\``);
  return [
    ...statusCriteria(status, recommendedBy !== undefined),
    ...bodyCriteria(body, texts),
    ...Object.entries(headers).flatMap(([name, matcher]) =>
      valueCriteria({ value: `$response.header.${name}` }, matcher, texts),
    ),
  ];
}

/** Converts the matchers of a body. */
export function bodyCriteria(body: Readonly<Record<string, Matcher>>, texts: ArazzoTexts): Criterion[] {
  return Object.entries(body).flatMap(([pointer, matcher]) => valueCriteria(placeAt(pointer), matcher, texts));
}

function statusCriteria(status: Expected["status"], isRecommended: boolean): Criterion[] {
  const anyButLimited = { condition: "$statusCode != 429" };
  if (status === undefined) return [anyButLimited];
  if (status === "4XX" || (isRecommended && Number(status) >= 400)) return [{ condition: refusal }];
  if (status === "2XX") return [{ condition: "$statusCode >= 200 && $statusCode < 300" }];
  if (typeof status === "number") return [{ condition: `$statusCode == ${status}` }];
  const { not = null, ...others } = isOperators(status) ? status : {};
  const excluded = isOperators(not) && Object.keys(not).length === 1 && not.any !== undefined ? not.any : [not];
  if (Object.keys(others).length > 0 || !excluded.every((one) => typeof one === "number"))
    throw new NotInArazzoError("Arazzo has no such expectation of a status");
  return [anyButLimited, ...excluded.map((one) => ({ condition: `$statusCode != ${one}` }))];
}

/** A value: its expression, and its pointer if it is in the body of the response. */
interface Place {
  readonly value: string;
  readonly pointer?: string;
}

function placeAt(pointer: string): Place {
  return { value: pointer === "" ? "$response.body" : `$response.body#${pointer}`, pointer };
}

/** The place below a value of the body, or the value of an earlier step. */
function placeBelow({ pointer }: Place, key: string, texts: ArazzoTexts): Place {
  const expression = expressionOf(key);
  if (expression !== undefined) return { value: texts.reference(expression) };
  if (pointer === undefined) throw new NotInArazzoError("Arazzo looks only into bodies");
  return placeAt(`${pointer}${key}`);
}

function valueCriteria(place: Place, matcher: Matcher, texts: ArazzoTexts): Criterion[] {
  if (isList(matcher))
    return matcher.flatMap((one, index) => valueCriteria(placeBelow(place, `/${index}`, texts), one, texts));
  if (isOperators(matcher)) {
    const entries = Object.entries(matcher);
    if (entries.length > 1) return entries.flatMap(([key, one]) => valueCriteria(place, { [key]: one }, texts));
    const { at, all } = matcher;
    if (at !== undefined)
      return Object.entries(at).flatMap(([key, one]) => valueCriteria(placeBelow(place, key, texts), one, texts));
    if (all !== undefined) return all.flatMap((one) => valueCriteria(place, one, texts));
    const regex = regexOf(matcher);
    if (regex !== undefined) return [{ context: place.value, condition: regex, type: "regex" }];
  }
  const condition = simpleCondition(place, matcher, texts);
  if (condition !== undefined) return [{ condition }];
  const { pointer } = place;
  if (pointer === undefined) throw new NotInArazzoError("Arazzo has no such expectation outside of a body");
  return [jsonPathCriterion(pointer, matcher, texts)];
}

/** A condition without a type. Undefined if there is none for a matcher. */
function simpleCondition(place: Place, matcher: Matcher, texts: ArazzoTexts): string | undefined {
  const { value, pointer } = place;
  // An expression may stand in a JSON path, but not in a JSON pointer.
  if (pointer?.includes("{$")) return undefined;
  if (isList(matcher)) return undefined;
  if (!isOperators(matcher)) return compared(value, "==", matcher, texts);
  const inner = (one: Matcher) => simpleCondition(place, one, texts);
  const parts = Object.entries(matcher).map(([key, operand]) => {
    if (key === "present") return operand === true ? `${value} != null` : undefined;
    if (key in bounds) return compared(value, bounds[key as keyof typeof bounds], operand as Matcher, texts);
    if (key === "any") return joined((operand as readonly Matcher[]).map(inner), "||");
    if (key === "all") return joined((operand as readonly Matcher[]).map(inner), "&&");
    if (key !== "at") return undefined;
    const all = Object.entries(operand as Readonly<Record<string, Matcher>>);
    return joined(
      all.map(([below, one]) => simpleCondition(placeBelow(place, below, texts), one, texts)),
      "&&",
    );
  });
  return joined(parts, "&&");
}

/** Undefined if a part is, or if parts would need parentheses, which Arazzo lacks. */
function joined(parts: readonly (string | undefined)[], sign: "&&" | "||"): string | undefined {
  const isNested = parts.length > 1 && sign === "&&" && parts.some((part) => part?.includes("||"));
  return isNested || parts.includes(undefined) ? undefined : parts.join(` ${sign} `);
}

/** Compares with a scalar. Undefined for a text that a simple condition cannot hold. */
function compared(value: string, sign: string, operand: Matcher, texts: ArazzoTexts): string | undefined {
  if (typeof operand !== "string") return `${value} ${sign} ${operand}`;
  const expression = expressionOf(operand);
  if (expression !== undefined) return `${value} ${sign} ${texts.reference(expression)}`;
  return /["\\\n$]/.test(operand) ? undefined : `${value} ${sign} "${operand}"`;
}

/** The regular expression that a matcher of a text stands for. */
function regexOf({ matches, contains, not }: Operators): string | undefined {
  if (matches !== undefined) return matches;
  if (contains !== undefined && expressionsIn(contains).length === 0)
    return contains.replace(/^\$\$/, "").replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const excluded = not !== undefined && isOperators(not) && Object.keys(not).length === 1 ? regexOf(not) : undefined;
  return excluded === undefined ? undefined : `^(?![\\s\\S]*(?:${excluded}))`;
}

function isList(matcher: Matcher): matcher is readonly Matcher[] {
  return Array.isArray(matcher);
}

function isOperators(matcher: Matcher): matcher is Operators {
  return typeof matcher === "object" && matcher !== null && !Array.isArray(matcher);
}
