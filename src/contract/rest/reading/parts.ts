import { methods } from "../document.js";

/** What an object of a document is. */
export type Kind =
  | "document"
  | "components"
  | "pathItem"
  | "operation"
  | "parameter"
  | "header"
  | "requestBody"
  | "response"
  | "mediaType"
  | "encoding"
  | "callback"
  | "schema"
  | "example"
  | "link"
  | "securityScheme";

/** Whether a part is an object itself, a list of them, or an object with names of authors. */
export type Shape = "one" | "list" | "map";

/** The parts of an object that are objects themselves, by key. */
export type Parts = Readonly<Record<string, readonly [Shape, Kind]>>;

const names = (kind: Kind, ...keys: readonly string[]): Parts =>
  Object.fromEntries(keys.map((key) => [key, ["map", kind]]));
const ones = (kind: Kind, ...keys: readonly string[]): Parts =>
  Object.fromEntries(keys.map((key) => [key, ["one", kind]]));
const lists = (kind: Kind, ...keys: readonly string[]): Parts =>
  Object.fromEntries(keys.map((key) => [key, ["list", kind]]));

const valueParts: Parts = {
  ...ones("schema", "schema"),
  ...names("mediaType", "content"),
  ...names("example", "examples"),
};

/** The parts of each kind of object. Source: OpenAPI 3.2; JSON Schema 2020-12, section 10. */
export const partsOf: Readonly<Record<Kind, Parts>> = {
  document: { ...names("pathItem", "paths", "webhooks"), ...ones("components", "components") },
  components: {
    ...names("schema", "schemas"),
    ...names("response", "responses"),
    ...names("parameter", "parameters"),
    ...names("example", "examples"),
    ...names("requestBody", "requestBodies"),
    ...names("header", "headers"),
    ...names("securityScheme", "securitySchemes"),
    ...names("link", "links"),
    ...names("callback", "callbacks"),
    ...names("pathItem", "pathItems"),
    ...names("mediaType", "mediaTypes"),
  },
  pathItem: { ...lists("parameter", "parameters"), ...ones("operation", ...methods) },
  operation: {
    ...lists("parameter", "parameters"),
    ...ones("requestBody", "requestBody"),
    ...names("response", "responses"),
    ...names("callback", "callbacks"),
  },
  parameter: valueParts,
  header: valueParts,
  requestBody: names("mediaType", "content"),
  response: { ...names("header", "headers"), ...names("mediaType", "content"), ...names("link", "links") },
  mediaType: {
    ...ones("schema", "schema", "itemSchema"),
    ...names("example", "examples"),
    ...names("encoding", "encoding"),
  },
  encoding: names("header", "headers"),
  callback: {},
  schema: {
    ...names("schema", "properties", "patternProperties", "$defs", "definitions", "dependentSchemas"),
    ...lists("schema", "allOf", "anyOf", "oneOf", "prefixItems"),
    ...ones("schema", "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
    ...ones("schema", "unevaluatedItems", "unevaluatedProperties", "contentSchema"),
  },
  example: {},
  link: {},
  securityScheme: {},
};
