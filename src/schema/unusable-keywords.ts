import { isObject } from "../base/is-object.js";
import { readPattern } from "./pattern.js";

/** A keyword by which nothing can be judged. */
export interface UnusableKeyword {
  readonly keyword: string;
  /** Why, as the end of a sentence that begins with the keyword. */
  readonly why: string;
  /** Keywords that mean something else without this one. */
  readonly also?: readonly string[];
}

const types: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isStrings = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string");

/** What each keyword must be. Source: JSON Schema 2020-12, Validation. */
const expectations: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, expected: string]>> = {
  enum: [(value) => Array.isArray(value) && value.length > 0, "must list values"],
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, "must be a number above 0"],
  ...Object.fromEntries(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name) => [
      name,
      [isNumber, "must be a number"],
    ]),
  ),
  ...Object.fromEntries(
    ["Length", "Items", "Properties", "Contains"].flatMap((what) =>
      ["min", "max"].map((end) => [`${end}${what}`, [isCount, "must be an integer of at least 0"]]),
    ),
  ),
  required: [isStrings, "must list names"],
  uniqueItems: [(value) => typeof value === "boolean", "must be true or false"],
  format: [(value) => typeof value === "string", "must be a name"],
  discriminator: [isObject, "must be an object"],
  dependentRequired: [(value) => isObject(value) && Object.values(value).every(isStrings), "must list names for names"],
  type: [
    (value) => [value].flat().length > 0 && [value].flat().every((one) => types.has(one)),
    `must be one of ${[...types].join(", ")}`,
  ],
};

/** Lists the keywords of one schema, without those within it, by which nothing can be judged. */
export function unusableKeywords(schema: Readonly<Record<string, unknown>>): UnusableKeyword[] {
  const found: UnusableKeyword[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const [isValid, expected] = Object.hasOwn(expectations, keyword) ? (expectations[keyword] ?? []) : [];
    if (isValid !== undefined && !isValid(value)) found.push({ keyword, why: `${expected}` });
    if (keyword === "pattern") {
      const why = patternProblem(value);
      if (why !== undefined) found.push({ keyword, why });
    }
    if (keyword === "patternProperties" && isObject(value)) {
      const [why] = Object.keys(value).flatMap((pattern) => patternProblem(pattern) ?? []);
      const also = ["additionalProperties", "unevaluatedProperties"];
      if (why !== undefined) found.push({ keyword, why, also });
    }
  }
  const contradicted = found.length === 0 ? contradictedBy(schema) : undefined;
  if (contradicted !== undefined)
    found.push({ keyword: "type", why: `allows nothing that \`${contradicted}\` does`, also: [contradicted] });
  return found;
}

/**
 * The keyword that allows only values of other types than `type`. It is unclear which of the two is meant, and no value would fit both,
 * such as where a converter wrote `type: "null"` for what may also be null.
 */
function contradictedBy(schema: Readonly<Record<string, unknown>>): string | undefined {
  if (schema.type === undefined || schema.nullable === true) return undefined;
  const allowed = [schema.type].flat();
  const isAllowed = (type: unknown) =>
    type === undefined || allowed.includes(type) || (allowed.includes("number") && type === "integer");
  return ["enum", "oneOf", "anyOf"].find((keyword) => {
    const given = schema[keyword];
    return Array.isArray(given) && !given.flatMap(keyword === "enum" ? typesOfValue : typesOfSchema).some(isAllowed);
  });
}

function typesOfValue(value: unknown): readonly unknown[] {
  if (typeof value === "number") return Number.isInteger(value) ? ["number", "integer"] : ["number"];
  return [value === null ? "null" : Array.isArray(value) ? "array" : typeof value];
}

/** The types that a schema allows, of which undefined is any. */
function typesOfSchema(schema: unknown): readonly unknown[] {
  if (!isObject(schema) || schema.nullable === true) return [undefined];
  const { type } = schema;
  return type === "number" ? ["number", "integer"] : [type].flat();
}

function patternProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "must be a text";
  const pattern = readPattern(value);
  return "unreadable" in pattern
    ? `${JSON.stringify(value)} cannot be read as a regular expression: ${pattern.unreadable}`
    : undefined;
}
