import { isObject } from "../../base/is-object.js";
import { isMultiple } from "../decimal.js";
import { isAbsent } from "../direction.js";
import { isOneOf } from "../json-equality.js";
import { matchesPattern } from "../pattern.js";
import { all, bound, type Flat, type Node } from "./flatten.js";
import type { SampleOptions } from "./options.js";

/** The keywords that these functions check, and those that check nothing. */
const plainKeywords = new Set([
  ...["type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "pattern", "format", "items", "minItems", "maxItems"],
  ...["properties", "required", "additionalProperties", "$ref", "allOf", "readOnly", "writeOnly"],
  ...["title", "description", "default", "example", "examples", "deprecated", "externalDocs", "xml", "$comment"],
]);
const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/** Whether a made value fits for sure, if all values within it do. False if only a compiled schema can tell. */
export function fitsPlainly(flat: Flat, value: unknown, options: SampleOptions): boolean {
  const isPlain = flat.parts.every((part) =>
    Object.keys(part).every((keyword) => plainKeywords.has(keyword) || keyword.startsWith("x-")),
  );
  const areKnown = flat.types === undefined || flat.types.every((type) => types.has(type));
  const areSchemas = [...all(flat, "allOf"), ...all(flat, "items")].flat().every(isObject);
  const isListed = all(flat, "enum").every((list) => Array.isArray(list) && isOneOf(value, list));
  if (!isPlain || !areKnown || !areSchemas || !isListed || !hasType(flat, value)) return false;
  if (Array.isArray(value))
    return (
      value.length >= (bound(flat, "minItems", "min") ?? 0) &&
      value.length <= (bound(flat, "maxItems", "max") ?? Number.POSITIVE_INFINITY)
    );
  if (isObject(value)) return hasItsMembers(flat, value, options);
  return value === null || (isAllowed(flat, value, options) && hasFormat(flat, value, options));
}

function hasItsMembers(flat: Flat, value: Node, { absent, resolve }: SampleOptions): boolean {
  const isMissingByRight = (name: string) =>
    flat.properties.get(name)?.some((schema) => isAbsent(schema, absent, resolve)) === true;
  const isClosedTo = ({ additionalProperties, properties }: Node) =>
    additionalProperties !== undefined && !Object.keys(value).every((name) => Object.hasOwn(Object(properties), name));
  const isComplete = [...flat.required].every((name) => Object.hasOwn(value, name) || isMissingByRight(name));
  return isComplete && !flat.parts.some(isClosedTo);
}

/** Whether an example fits: a scalar by the keywords themselves, since most are, and compiling a schema takes long. */
export function isAllowed(flat: Flat, value: unknown, { fits }: Pick<SampleOptions, "fits">): boolean {
  if (!hasType(flat, value)) return false;
  const isPlainScalar = typeof value !== "object" && flat.alternatives.length === 0 && all(flat, "not").length === 0;
  if (!isPlainScalar) return flat.parts.every((part) => fits(part, value));
  const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (typeof value === "number")
    return (
      value >= (bound(flat, "minimum", "min") ?? least) &&
      value <= (bound(flat, "maximum", "max") ?? most) &&
      value > (bound(flat, "exclusiveMinimum", "min") ?? least) &&
      value < (bound(flat, "exclusiveMaximum", "max") ?? most) &&
      all(flat, "multipleOf").every((one) => isMultiple(value, Number(one)))
    );
  if (typeof value !== "string") return true;
  const length = [...value].length;
  return (
    length >= (bound(flat, "minLength", "min") ?? 0) &&
    length <= (bound(flat, "maxLength", "max") ?? most) &&
    all(flat, "pattern").every((one) => matchesPattern(String(one), value)) &&
    hasFormat(flat, value, { fits })
  );
}

function hasFormat(flat: Flat, value: unknown, { fits }: Pick<SampleOptions, "fits">): boolean {
  return all(flat, "format").every((one) => fits(schemaOfFormat(String(one)), value));
}

const formatSchemas = new Map<string, Node>();

/** The same schema for a format each time, so that it is compiled once. */
function schemaOfFormat(format: string): Node {
  const known = formatSchemas.get(format) ?? { format };
  formatSchemas.set(format, known);
  return known;
}

/** Whether a schema allows the type of a value. */
export function hasType({ types: allowed }: Pick<Flat, "types">, value: unknown): boolean {
  if (allowed === undefined) return true;
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return (
    allowed.includes(type) ||
    (typeof value === "number" && allowed.includes("number")) ||
    (Number.isInteger(value) && allowed.includes("integer"))
  );
}
