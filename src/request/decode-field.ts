import { parseBoundedJson } from "../base/parse-json.js";
import {
  type ContractDocument,
  type MediaTypeObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "../contract/rest/document.js";
import { parameterSchema } from "../contract/rest/operations.js";
import { styleOf, type ValueStyle } from "../contract/rest/value-style.js";
import { readPrimitive, readStyled, type SentText } from "./style.js";

/** Names and texts, as a query or a form has them. */
export type Texts = readonly SentText[];

/** A parameter, or a field of a form. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** Whether its text is JSON. */
  readonly isJson: boolean;
  readonly style: ValueStyle;
}

/** How a parameter is written. */
export function fieldOfParameter(parameter: ParameterObject): Field {
  const { name, in: place, content = {} } = parameter;
  const isJson = Object.keys(content).some(isJsonType);
  return { name, schema: parameterSchema(parameter), isJson, style: styleOf(place, parameter) };
}

/** The fields of a form. Objects are JSON by default (OpenAPI 3.1, "Encoding Object"). */
export function fieldsOfForm(document: ContractDocument, { schema, encoding = {} }: MediaTypeObject): Field[] {
  return Object.entries(propertiesOf(document, schema)).map(([name, property]) => {
    const { contentType } = encoding[name] ?? {};
    const isObject = typesOf(document, property).has("object");
    const isJson =
      contentType === undefined ? isObject && encoding[name]?.style === undefined : isJsonType(contentType);
    return { name, schema: property, isJson, style: styleOf("query", encoding[name] ?? {}) };
  });
}

/** Whether a media type is JSON, such as `application/problem+json`. */
export function isJsonType(type: string): boolean {
  return /^[^/]+\/(?:[^/;]+\+)?json\s*(?:;|$)/i.test(type);
}

/** Stands for a text that should be JSON. */
export const malformed = Symbol("malformed");

/** Reads a field from the texts of its part of the request. Undefined if it was not sent. The last text of a repeated name counts. */
export function decodeField(document: ContractDocument, field: Field, texts: Texts): unknown {
  const { name, schema, isJson, style } = field;
  const last = texts.findLast(([key]) => key === name)?.[1];
  if (isJson) return last === undefined ? undefined : parseJson(last);
  const types = typesOf(document, schema);
  if (!types.has("array") && !types.has("object"))
    return last === undefined ? undefined : decodeText(document, schema, readPrimitive(style, name, last));
  const items = (resolve<Schema>(document, schema).items ?? {}) as Schema;
  const value = readStyled(style, name, texts, {
    isList: types.has("array"),
    members: types.has("object") ? Object.keys(propertiesOf(document, schema)) : [],
    accepts: (text) => isOneOf(document, items, decodeText(document, items, text)),
  });
  if (value === undefined) return undefined;
  return Array.isArray(value)
    ? value.map((text) => decodeText(document, items, text))
    : decodeMembers(document, schema, Object.entries(value));
}

/** Whether a value has a type, and is among the values, that a schema lists. */
function isOneOf(document: ContractDocument, schema: Schema, value: unknown): boolean {
  const types = typesOf(document, schema);
  const listed = resolve<Schema>(document, schema).enum;
  const hasType =
    types.size === 0 || types.has(typeOfValue(value)) || (types.has("number") && typeof value === "number");
  return hasType && (listed === undefined || listed.includes(value));
}

function decodeMembers(document: ContractDocument, schema: Schema, texts: Texts): Record<string, unknown> {
  const properties = propertiesOf(document, schema);
  return Object.fromEntries(texts.map(([key, text]) => [key, decodeText(document, properties[key] ?? {}, text)]));
}

const integer = /^-?(?:0|[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a text as a value of a type that the schema allows. Other texts stay texts, which the schema then refuses. */
function decodeText(document: ContractDocument, schema: Schema, text: string): unknown {
  const types = typesOf(document, schema);
  const trimmed = text.trim();
  if (types.has("integer") && integer.test(trimmed)) return Number(trimmed);
  if (types.has("number") && number.test(trimmed)) return Number(trimmed);
  if (types.has("boolean") && /^(true|false)$/.test(trimmed)) return trimmed === "true";
  if (types.has("null") && trimmed === "null") return null;
  return text;
}

/** Parses JSON text. Returns `malformed` if it is not valid JSON or is nested too deeply. */
export function parseJson(text: string): unknown {
  const value = parseBoundedJson(text);
  return value === undefined ? malformed : value;
}

/** Nested alternatives that are followed; more would be a schema that refers to itself. */
const maxDepth = 8;

/** The schema and all parts and alternatives of it. */
function partsOf(document: ContractDocument, given: Schema, depth = 0): Schema[] {
  const schema = resolve<Schema>(document, given);
  if (depth > maxDepth) return [schema];
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (list ?? []) as Schema[]);
  return [schema, ...parts.flatMap((part) => partsOf(document, part, depth + 1))];
}

/** The properties of an object by all parts and alternatives of its schema. */
export function propertiesOf(document: ContractDocument, schema: Schema): Record<string, Schema> {
  return Object.assign({}, ...partsOf(document, schema).map(({ properties }) => properties));
}

/** The types that a schema allows, in all parts and alternatives of it. Empty for any type. */
export function typesOf(document: ContractDocument, given: Schema): ReadonlySet<string> {
  const types = partsOf(document, given).flatMap((schema) => {
    const { type, const: constant, enum: listed = constant === undefined ? [] : [constant] } = schema;
    return type === undefined ? listed.map(typeOfValue) : type;
  });
  return new Set(types);
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}
