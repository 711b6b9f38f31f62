import { type ContractDocument, resolve, type Schema } from "./document.js";

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

/** The items of an array by all parts and alternatives of its schema. Undefined without any. */
export function itemsOf(document: ContractDocument, schema: Schema): Schema | undefined {
  return partsOf(document, schema).find(({ items }) => items !== undefined)?.items as Schema | undefined;
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
