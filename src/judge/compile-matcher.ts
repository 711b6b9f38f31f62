import { isDeepStrictEqual } from "node:util";
import { valueAt, valuesAt } from "../contract/json-pointer.js";
import type { Matcher, Operators } from "../contract/matcher.js";
import { compilePointer } from "../contract/pointer-reader.js";
import { createSecretFinder } from "../secrets/find-secrets.js";
import { sha256 } from "./digest.js";
import { MissingValueError, resolveValue, type Scope } from "./expressions.js";

/** A value that does not match. */
export interface Mismatch {
  /** A JSON pointer from the matched value to the one that is wrong. */
  readonly at: string;
  /** What was expected, as a phrase. */
  readonly expected: string;
  readonly actual: unknown;
}

/** Compares a value. Undefined if it matches. A missing value is undefined. Throws a `MissingValueError` for an unknown expression. */
export type CompiledMatcher = (value: unknown, scope: Scope) => Mismatch | undefined;

/** Compiles a matcher of the contract. Throws if an operator or a regular expression is malformed. */
export function compileMatcher(matcher: Matcher): CompiledMatcher {
  if (typeof matcher === "string") return equal((scope) => resolveValue(matcher, scope));
  if (isList(matcher)) {
    const entries = matcher.map(compileMatcher);
    return (value, scope) =>
      Array.isArray(value)
        ? first(entries, (passes, index) => below(`/${index}`, passes(value[index], scope)))
        : wrong("a list", value);
  }
  if (typeof matcher !== "object" || matcher === null) return equal(() => matcher);
  const parts = Object.entries(matcher).map(([operator, operand]) =>
    compileOperator(operator as keyof Operators, operand),
  );
  return (value, scope) => first(parts, (passes) => passes(value, scope));
}

// `Array.isArray` does not narrow read-only arrays.
function isList(matcher: Matcher): matcher is readonly Matcher[] {
  return Array.isArray(matcher);
}

function compileOperator(operator: keyof Operators, operand: unknown): CompiledMatcher {
  switch (operator) {
    case "present":
      return (value) =>
        (value !== undefined && value !== null) === operand ? undefined : wrong(operand ? "a value" : "nothing", value);
    case "if-present": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) => {
        try {
          return isFilled(value) ? passes(value, scope) : undefined;
        } catch (error) {
          if (error instanceof MissingValueError) return undefined;
          throw error;
        }
      };
    }
    case "type":
      return (value) => (typeName(value) === operand ? undefined : wrong(`a value of type ${operand}`, value));
    case "above":
      return comparison("above", operand, (value, bound) => value > bound);
    case "below":
      return comparison("below", operand, (value, bound) => value < bound);
    case "at-least":
      return comparison("at least", operand, (value, bound) => value >= bound);
    case "at-most":
      return comparison("at most", operand, (value, bound) => value <= bound);
    case "matches": {
      const pattern = new RegExp(String(operand), "u");
      return test(`a text that matches ${operand}`, (value) => typeof value === "string" && pattern.test(value));
    }
    case "contains":
      return (value, scope) => {
        const part = String(resolveValue(operand, scope));
        const isContained = typeof value === "string" && value.includes(part);
        return isContained ? undefined : wrong(`a text with ${JSON.stringify(part)}`, value);
      };
    case "hides": {
      // Compiled with the first value: most checks pass without a text to search.
      let find: ReturnType<typeof createSecretFinder> | undefined;
      return (value) => {
        find ??= createSecretFinder(operand as readonly string[]);
        return typeof value === "string" && find(value).length > 0
          ? wrong("no secret of the request", "***")
          : undefined;
      };
    }
    case "equals":
      return equal((scope) => resolveValue(operand, scope));
    case "any": {
      const choices = (operand as readonly Matcher[]).map(compileMatcher);
      return (value, scope) => {
        const found = choices.map((passes) => passes(value, scope));
        const problems = found.filter((one) => one !== undefined);
        if (problems.length < found.length) return undefined;
        return wrong(problems.map(({ expected }) => expected).join(" or "), value);
      };
    }
    case "all": {
      const parts = (operand as readonly Matcher[]).map(compileMatcher);
      return (value, scope) => first(parts, (passes) => passes(value, scope));
    }
    case "entries": {
      const passes = compileMatcher(operand as readonly Matcher[]);
      const { length } = operand as readonly Matcher[];
      return (value, scope) =>
        Array.isArray(value) && value.length !== length
          ? wrong(`a list of ${length} entries`, value.length)
          : passes(value, scope);
    }
    case "includes": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) => {
        const isIncluded = Array.isArray(value) && value.some((one) => passes(one, scope) === undefined);
        return isIncluded ? undefined : wrong(`a list with ${passes(undefined, scope)?.expected ?? "an entry"}`, value);
      };
    }
    case "every": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) =>
        typeof value === "object" && value !== null
          ? first(Object.entries(value), ([key, one]) => below(`/${key}`, passes(one, scope)))
          : wrong("a list or an object", value);
    }
    case "names": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) =>
        typeof value === "object" && value !== null ? passes(Object.keys(value), scope) : wrong("an object", value);
    }
    case "count": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) => {
        const problem = Array.isArray(value) ? passes(value.length, scope) : wrong("", value);
        return problem && wrong(`a list of ${problem.expected} entries`, problem.actual);
      };
    }
    case "at": {
      const parts = Object.entries(operand as Readonly<Record<string, Matcher>>).map(([pointer, matcher]) => ({
        pointer,
        read: compilePlace(pointer),
        passes: compileMatcher(matcher),
      }));
      return (value, scope) =>
        first(parts, ({ pointer, read, passes }) => below(pointer, passes(read(value, scope), scope)));
    }
    case "not": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) =>
        passes(value, scope) === undefined ? wrong(`anything but ${describe(operand, scope)}`, value) : undefined;
    }
    case "base64": {
      const passes = compileMatcher(operand as Matcher);
      return (value, scope) =>
        typeof value === "string" ? passes(Buffer.from(value, "base64").toString("utf8"), scope) : wrong("text", value);
    }
    case "sha256-of":
      return (value, scope) => {
        const text = resolveValue(operand, scope);
        const digest = sha256(String(text));
        return typeof value === "string" && value.toLowerCase() === digest ? undefined : wrong("the digest", value);
      };
    case "same-double-as":
      return (value, scope) => {
        const number = Number(resolveValue(operand, scope));
        return typeof value === "string" && Number(value) === number ? undefined : wrong(String(number), value);
      };
  }
}

/** Reads a JSON pointer, in which an expression may stand, or a value of an earlier step. */
function compilePlace(place: string): (value: unknown, scope: Scope) => unknown {
  if (place.startsWith("$")) return (_, scope) => resolveValue(place, scope);
  if (place.includes("{$")) return (value, scope) => valueAt(value, String(resolveValue(place, scope)));
  if (/\/\*(?:\/|$)/.test(place)) return (value) => valuesAt(value, place);
  return compilePointer(place);
}

function equal(read: (scope: Scope) => unknown): CompiledMatcher {
  return (value, scope) => {
    const wanted = read(scope);
    if (value === wanted || (typeof wanted === "object" && isDeepStrictEqual(value, wanted))) return undefined;
    return wrong(JSON.stringify(wanted) ?? "nothing", value);
  };
}

function test(expected: string, passes: (value: unknown) => boolean): CompiledMatcher {
  return (value) => (passes(value) ? undefined : wrong(expected, value));
}

function comparison(name: string, operand: unknown, holds: (value: number, bound: number) => boolean): CompiledMatcher {
  return (value, scope) => {
    const bound = Number(resolveValue(operand, scope));
    const isMet = typeof value === "number" && holds(value, bound);
    return isMet ? undefined : wrong(`a number ${name} ${bound}`, value);
  };
}

function describe(operand: unknown, scope: Scope): string {
  if (typeof operand !== "object" || operand === null) return JSON.stringify(resolveValue(operand, scope));
  if ("any" in operand && Array.isArray(operand.any))
    return operand.any.map((one) => describe(one, scope)).join(" or ");
  return "such a value";
}

function first<Item>(items: readonly Item[], compare: (item: Item, index: number) => Mismatch | undefined) {
  for (const [index, item] of items.entries()) {
    const problem = compare(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function below(pointer: string, problem: Mismatch | undefined): Mismatch | undefined {
  return problem && { ...problem, at: `${pointer}${problem.at}` };
}

function wrong(expected: string, actual: unknown): Mismatch {
  return { at: "", expected, actual };
}

/** Whether a value is neither missing nor empty. */
export function isFilled(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "";
}

/** The type of a JSON value. Undefined for a missing value and for numbers with a fraction. */
export function typeName(value: unknown): Operators["type"] {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string" || typeof value === "boolean" || typeof value === "object") {
    return typeof value as "string" | "boolean" | "object";
  }
  return typeof value === "bigint" || Number.isInteger(value) ? "integer" : undefined;
}
