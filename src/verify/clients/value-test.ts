import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { compilePointer } from "../../contract/pointer-reader.js";
import type { Named, Operators, ValueTest } from "../../contract/rest/seen.js";

/** The values of an earlier exchange by their names in the rule, and `recently` and `newest-level`. */
export type Remembered = Readonly<Record<string, unknown>>;

/** Whether a value passes a test. A missing value is undefined. */
export type CompiledTest = (value: unknown, remembered: Remembered) => boolean;

/** Compiles a test of the contract. */
export function compileTest(test: ValueTest): CompiledTest {
  if (isList(test)) return (value) => test.some((one) => one === value);
  if (typeof test !== "object" || test === null) return (value) => value === test;
  const parts = Object.entries(test).map(([operator, operand]) =>
    compileOperator(operator as keyof Operators, operand),
  );
  return (value, remembered) => parts.every((part) => part(value, remembered));
}

// `Array.isArray` does not narrow read-only arrays.
function isList(test: ValueTest): test is readonly (string | number | boolean | null)[] {
  return Array.isArray(test);
}

function compileOperator(operator: keyof Operators, operand: unknown): CompiledTest {
  switch (operator) {
    case "present":
      return (value) => (value !== undefined) === operand;
    case "type":
      return (value) => typeName(value) === operand;
    case "above":
      return comparison(operand, (value, bound) => value > bound);
    case "below":
      return comparison(operand, (value, bound) => value < bound);
    case "at-least":
      return comparison(operand, (value, bound) => value >= bound);
    case "at-most":
      return comparison(operand, (value, bound) => value <= bound);
    case "matches": {
      const pattern = new RegExp(String(operand), "u");
      return (value) => typeof value === "string" && pattern.test(value);
    }
    case "contains":
      return (value, remembered) => typeof value === "string" && value.includes(fillIn(String(operand), remembered));
    case "equals":
      return (value, remembered) => {
        const earlier = named(operand, remembered);
        return value === earlier || (typeof value === "object" && isDeepStrictEqual(value, earlier));
      };
    case "sha256-of":
      return (value, remembered) => {
        const text = named(operand, remembered);
        return typeof value === "string" && typeof text === "string" && value.toLowerCase() === sha256(text);
      };
    case "same-double-as":
      return (value, remembered) => typeof value === "string" && Number(value) === Number(named(operand, remembered));
    case "includes": {
      const passes = compileTest(operand as ValueTest);
      return (value, remembered) => Array.isArray(value) && value.some((one) => passes(one, remembered));
    }
    case "count": {
      const passes = compileTest(operand as ValueTest);
      return (value, remembered) => Array.isArray(value) && passes(value.length, remembered);
    }
    case "every": {
      const passes = compileTest(operand as ValueTest);
      return (value, remembered) =>
        typeof value === "object" && value !== null && Object.values(value).every((one) => passes(one, remembered));
    }
    case "at": {
      const parts = Object.entries(operand as Readonly<Record<string, ValueTest>>).map(([pointer, test]) => ({
        read: compilePointer(pointer),
        passes: compileTest(test),
      }));
      return (value, remembered) => parts.every(({ read, passes }) => passes(read(value), remembered));
    }
    case "base64": {
      const passes = compileTest(operand as ValueTest);
      return (value, remembered) =>
        typeof value === "string" && passes(Buffer.from(value, "base64").toString("utf8"), remembered);
    }
    case "not": {
      const passes = compileTest(operand as ValueTest);
      return (value, remembered) => !passes(value, remembered);
    }
  }
}

function comparison(operand: unknown, holds: (value: number, bound: number) => boolean): CompiledTest {
  return (value, remembered) => {
    const bound = typeof operand === "number" ? operand : (named(operand, remembered) ?? 0);
    return typeof value === "number" && typeof bound === "number" && holds(value, bound);
  };
}

function named(operand: unknown, remembered: Remembered): unknown {
  return remembered[(operand as Named).earlier];
}

/** Replaces names in braces with remembered texts. */
function fillIn(template: string, remembered: Remembered): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(remembered[name]));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
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
