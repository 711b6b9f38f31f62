import { isDeepStrictEqual } from "node:util";
import { resolve, type Schema } from "../../contract/chat/document.js";

/**
 * Whether a JSON value fits a schema of the contract, or of another document. Knows the keywords that request schemas use: types, `const`, `enum`, bounds,
 * `pattern`, `required`, `properties`, `additionalProperties`, `items`, `anyOf`, `oneOf` and `not`; `format` says nothing here.
 * Lengths count Unicode code points (JSON Schema Validation 2020-12, section 6.3).
 */
export function fitsSchema(document: object, given: Schema, value: unknown): boolean {
  const schema = resolve<Schema>(document, given);
  const { anyOf, oneOf, not } = schema;
  const fits = (inner: Schema) => fitsSchema(document, inner, value);
  return (
    fitsType(schema.type, value) &&
    (!("const" in schema) || isDeepStrictEqual(schema.const, value)) &&
    (schema.enum === undefined || schema.enum.some((allowed) => isDeepStrictEqual(allowed, value))) &&
    (anyOf === undefined || anyOf.some(fits)) &&
    (oneOf === undefined || oneOf.filter(fits).length === 1) &&
    (not === undefined || !fits(not)) &&
    fitsContent(document, schema, value)
  );
}

function fitsType(type: Schema["type"], value: unknown): boolean {
  return type === undefined || [type].flat().some((one) => isOfType(one, value));
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function fitsContent(document: object, schema: Schema, value: unknown): boolean {
  if (typeof value === "number") return isWithin(value, schema.minimum, schema.maximum);
  if (typeof value === "string") {
    const { pattern } = schema;
    return (
      isWithin([...value].length, schema.minLength, schema.maxLength) &&
      (typeof pattern !== "string" || new RegExp(pattern, "u").test(value))
    );
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return (
      isWithin(value.length, schema.minItems, schema.maxItems) &&
      (items === undefined || value.every((item) => fitsSchema(document, items, item)))
    );
  }
  return !isObject(value) || fitsMembers(document, schema, value);
}

function fitsMembers(document: object, schema: Schema, value: Record<string, unknown>): boolean {
  const { required = [], properties = {}, additionalProperties = true } = schema;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) return fitsSchema(document, known, inner);
    return typeof additionalProperties === "boolean"
      ? additionalProperties
      : fitsSchema(document, additionalProperties, inner);
  });
}

/** Bounds that are no numbers are none. */
function isWithin(value: number, least: unknown, most: unknown): boolean {
  return (typeof least !== "number" || value >= least) && (typeof most !== "number" || value <= most);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
