import type { Arbitrary } from "fast-check";
import { type ContractDocument, resolve, type Schema } from "../../contract/rest/document.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import { isTooLargeToSample } from "../../contract/rest/sample-bound.js";
import { fitsSchema } from "../../judge/validators.js";
import { matchesPattern } from "../../schema/pattern.js";
import { canCarry, fitsText, probedParameters, wrongValues } from "./parameter-values.js";

/** The library for random values, loaded on demand. */
export type FastCheck = typeof import("fast-check");

/** What a random request does with a parameter: keeps the value of the base, omits the parameter, or sends this value or text. */
export type RandomValue =
  | { readonly kind: "keep" }
  | { readonly kind: "omit" }
  | { readonly kind: "value"; readonly value: object }
  | { readonly kind: "text"; readonly text: string };

/** Random values by parameter. All other parameters keep their values. */
export type RandomValues = Readonly<Record<string, RandomValue>>;

const keep: RandomValue = { kind: "keep" };
/** The maximum depth of random objects and arrays where a schema sets none. */
const maxDepth = 2;
/** How deep random values have optional members and entries: schemas may contain themselves. */
const maxOptionalDepth = 4;
/** How deep random values have required ones. */
const maxRequiredDepth = 8;

/** How many items or characters a schema may require of a random value. */
const maxGenerated = 10_000;

/** Generates values with which a correct request still matches its schemas. */
export function arbitraryRequests(fc: FastCheck, operation: ProbedOperation): Arbitrary<RandomValues> {
  const varied = probedParameters(operation).filter(({ isFile }) => !isFile);
  return fc.record(
    Object.fromEntries(
      varied.map((parameter) => {
        const value = arbitraryOne(fc, operation.document, parameter);
        const optional: Arbitrary<RandomValue>[] = parameter.required ? [] : [fc.constant({ kind: "omit" })];
        return [parameter.name, fc.oneof(fc.constant(keep), ...optional, value)];
      }),
    ),
  );
}

/** Generates one invalid value for one refutable parameter. Undefined if no parameter is refutable. */
export function arbitraryViolations(
  fc: FastCheck,
  operation: ProbedOperation,
  isRefutable: (parameter: ProbedParameter) => boolean,
): Arbitrary<RandomValues> | undefined {
  const { document } = operation;
  const refutable = probedParameters(operation).filter(isRefutable);
  if (refutable.length === 0) return undefined;
  return fc.oneof(
    ...refutable.map((parameter) =>
      wrongText(fc, document, parameter).map((text): RandomValues => ({ [parameter.name]: { kind: "text", text } })),
    ),
  );
}

function arbitraryOne(fc: FastCheck, document: ContractDocument, parameter: ProbedParameter): Arbitrary<RandomValue> {
  const { json, place, style, schema } = parameter;
  if (isTooLargeToSample(document, schema, `the parameter ${parameter.name}`)) return fc.constant(keep);
  // A filter would search forever for a value of a schema that none of these values fits.
  return arbitraryValue(fc, document, schema).map((value): RandomValue => {
    if (!(json || hasPlainParts(value)) || !fitsSchema(document, schema, value)) return keep;
    if (!json && style !== undefined && typeof value === "object" && value !== null)
      return place !== "header" || canCarry(place, JSON.stringify(value)) ? { kind: "value", value } : keep;
    const text = json ? JSON.stringify(value) : String(value);
    return canCarry(place, text) ? { kind: "text", text } : keep;
  });
}

/** Whether also a server that decodes a text before it splits it can tell the parts of a value apart. */
function hasPlainParts(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const parts = Object.values(value);
  return parts.length > 0 && parts.every((part) => typeof part !== "object" && /^[^ ,|;.=&]+$/.test(String(part)));
}

/** Words that a lenient server may read as a boolean, a number or null: the contract leaves open how these are written. */
const lenientWords: ReadonlySet<string> = new Set(
  "true false yes no on off null none nil nan inf infinity undefined".split(" "),
);

const letters = "abcdefghijklmnopqrstuvwxyz";

function wrongText(fc: FastCheck, document: ContractDocument, parameter: ProbedParameter): Arbitrary<string> {
  // An arbitrary of strings would take 20 ms to prepare, for each parameter.
  const word = fc
    .array(fc.constantFrom(...letters), { minLength: 3, maxLength: 12 })
    .map((chosen) => chosen.join(""))
    .filter((text) => !lenientWords.has(text));
  const [known = ""] = wrongValues(document, parameter).map(({ text }) => text);
  const wrong = (text: string) => (fitsText(document, parameter, text) ? known : text);
  if (!parameter.json) return word.map(wrong);
  const json = fc
    .jsonValue({ maxDepth, noUnicodeString: true })
    .filter((value) => !isLenient(value))
    .map((value) => JSON.stringify(value));
  return fc
    .oneof(
      parameter.inJson ? word.map((text) => JSON.stringify(text)) : word,
      json,
      json.map((text) => `[${text}]`),
    )
    .map(wrong);
}

/** Whether a lenient server might read some part of a value as null or as a number. */
function isLenient(value: unknown): boolean {
  if (typeof value === "string") return !/^[A-Za-z]/.test(value) || lenientWords.has(value.toLowerCase());
  if (typeof value === "object" && value !== null) return Object.values(value).some(isLenient);
  return value === null;
}

/** Arbitraries by document, schema and depth: a schema that occurs in many others is prepared once. */
const prepared = new WeakMap<ContractDocument, WeakMap<Schema, Arbitrary<unknown>[]>>();

/** Generates values that match the usual keywords of a schema. Values of other schemas may not fit. */
export function arbitraryValue(
  fc: FastCheck,
  document: ContractDocument,
  given: Schema,
  depth = 0,
): Arbitrary<unknown> {
  const schema = resolve<Schema>(document, given);
  const ofDocument = prepared.get(document) ?? new WeakMap<Schema, Arbitrary<unknown>[]>();
  prepared.set(document, ofDocument);
  const byDepth = ofDocument.get(schema) ?? [];
  ofDocument.set(schema, byDepth);
  const found = byDepth[depth] ?? prepareValue(fc, document, schema, depth);
  byDepth[depth] = found;
  return found;
}

function prepareValue(fc: FastCheck, document: ContractDocument, schema: Schema, depth: number): Arbitrary<unknown> {
  if (depth > maxRequiredDepth) return fc.constant(null);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined)
    return fc.oneof(...alternatives.map((one) => arbitraryValue(fc, document, one, depth + 1)));
  const types = [schema.type ?? "anything"].flat();
  return fc.oneof(...types.map((type) => valueOfType(fc, document, schema, type, depth)));
}

function valueOfType(
  fc: FastCheck,
  document: ContractDocument,
  schema: Schema,
  type: string,
  depth: number,
): Arbitrary<unknown> {
  const bound = (keyword: string, fallback: number) => numberOr(schema[keyword], fallback);
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer": {
      const min = Math.ceil(bound("minimum", Number.MIN_SAFE_INTEGER));
      const max = Math.max(Math.floor(bound("maximum", Number.MAX_SAFE_INTEGER)), min);
      const small = { min: Math.min(Math.max(min, -10), max), max: Math.max(Math.min(max, 10_000), min) };
      return fc
        .oneof({ weight: 4, arbitrary: fc.integer(small) }, { weight: 1, arbitrary: fc.maxSafeInteger() })
        .filter((value) => value >= min && value <= max);
    }
    case "number": {
      const min = bound("minimum", Math.min(-1e9, bound("maximum", 0)));
      return fc.double({ min, max: Math.max(bound("maximum", 1e9), min), noNaN: true });
    }
    case "string":
      return arbitraryString(fc, schema);
    case "array": {
      const [minLength, maxItems] = [bound("minItems", 0), bound("maxItems", 10)];
      if (minLength > maxGenerated) return fc.constant([]);
      if (minLength === 0 && depth > maxOptionalDepth) return fc.constant([]);
      const items = arbitraryValue(fc, document, schema.items ?? {}, depth + 1);
      return fc.array(items, { minLength, maxLength: Math.max(minLength, Math.min(maxItems, 10)) });
    }
    case "object":
      return arbitraryObject(fc, document, schema, depth);
    default:
      return depth > maxDepth ? fc.boolean() : fc.jsonValue({ maxDepth: 1 });
  }
}

function arbitraryString(fc: FastCheck, schema: Schema): Arbitrary<string | undefined> {
  const { pattern, contentEncoding, format, examples = [] } = schema;
  if (typeof pattern === "string") {
    const known = [...examples.map(String), String(schema.default ?? "a")];
    const fitting = known.filter((text) => matchesPattern(pattern, text));
    return fc.constantFrom(...(fitting.length === 0 ? known : fitting));
  }
  if (typeof format === "string" && !anyTextFormats.has(format)) {
    const known = examples.map(String);
    const made = textOfFormat(fc, format);
    // Without a value of an unknown format, the parameter keeps the one that it has.
    return made ?? (known.length > 0 ? fc.constantFrom(...known) : fc.constant(undefined));
  }
  if (contentEncoding === "base64") return fc.base64String({ maxLength: 200 });
  const minLength = numberOr(schema.minLength, 0);
  if (minLength > maxGenerated) return fc.constant("");
  const maxLength = Math.max(minLength, Math.min(numberOr(schema.maxLength, 80), 80));
  return fc.oneof(
    fc.string({ minLength, maxLength }),
    fc.string({ unit: arbitraryCodePoint(fc), minLength, maxLength }),
    ...(examples.length > 0 ? [fc.constantFrom(...examples.map(String))] : []),
  );
}

/** Formats that any text has (OpenAPI 3.1, "Format Registry"). */
const anyTextFormats: ReadonlySet<string> = new Set(["binary", "commonmark", "html", "password"]);

/** Generates texts of a format of JSON Schema or OpenAPI. Undefined for other formats. */
function textOfFormat(fc: FastCheck, format: string): Arbitrary<string> | undefined {
  const instant = () =>
    fc
      .date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
      .map((one) => one.toISOString());
  switch (format) {
    case "date-time":
      return instant();
    case "date":
      return instant().map((text) => text.slice(0, 10));
    case "time":
      return instant().map((text) => text.slice(11));
    case "duration":
      return fc.nat({ max: 99 }).map((count) => `PT${count}M`);
    case "uuid":
      return fc.uuid();
    case "email":
      return fc.nat().map((number) => `someone${number}@example.com`);
    case "hostname":
      return fc.nat().map((number) => `host${number}.example.com`);
    case "ipv4":
      return fc.ipV4();
    case "ipv6":
      return fc.ipV6();
    case "uri":
    case "url":
    case "uri-reference":
      return fc.nat().map((number) => `https://example.com/${number}`);
    case "byte":
      return fc.base64String({ maxLength: 200 });
    default:
      return undefined;
  }
}

/** Any code point except surrogates: like `unit: "binary"`, but without its table, which takes half a second to build. */
function arbitraryCodePoint(fc: FastCheck): Arbitrary<string> {
  const [firstSurrogate, surrogates] = [0xd800, 0x800];
  return fc.nat({ max: 0x10ffff - surrogates }).map(
    (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
    (text) => {
      const code = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
      if (code < 0 || String.fromCodePoint(code) !== text) throw new TypeError("This is not one character");
      return code < firstSurrogate ? code : code - surrogates;
    },
  );
}

function arbitraryObject(
  fc: FastCheck,
  document: ContractDocument,
  { properties = {}, required = [], additionalProperties }: Schema,
  depth: number,
): Arbitrary<unknown> {
  const isDeep = depth > maxOptionalDepth;
  const known = Object.entries(properties)
    .filter(([name]) => !isDeep || required.includes(name))
    .map(([name, inner]) => [name, arbitraryValue(fc, document, inner, depth + 1)]);
  const model: Record<string, Arbitrary<unknown>> = Object.fromEntries(known);
  const record: Arbitrary<object> = fc.record(model, { requiredKeys: required.filter((name) => name in model) });
  if (typeof additionalProperties !== "object" || isDeep) return record;
  const others = fc.dictionary(
    fc.string({ maxLength: 8 }),
    arbitraryValue(fc, document, additionalProperties, depth + 1),
    {
      maxKeys: 4,
    },
  );
  return fc.tuple(others, record).map(([extra, own]) => ({ ...extra, ...own }));
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}
