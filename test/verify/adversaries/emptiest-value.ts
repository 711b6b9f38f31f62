import { resolve, type Schema } from "../../../src/contract/rest/document.js";

/** Creates the emptiest value that a response schema allows: without optional members and items, with empty texts and minimum numbers. */
export function emptiestValue(document: object, given: Schema): unknown {
  const schema = resolve<Schema>(document, given);
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative !== undefined) return emptiestValue(document, alternative);
  const types = [schema.type ?? "null"].flat();
  const type = types.includes("null") ? "null" : types[0];
  switch (type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, emptiestValue(document, schema.properties?.[name] ?? {})]),
      );
    case "array":
      return Array.from({ length: sizeOf(schema, "minItems") }, () => emptiestValue(document, schema.items ?? {}));
    case "string":
      return "x".repeat(sizeOf(schema, "minLength"));
    case "integer":
    case "number":
      return sizeOf(schema, "minimum");
    case "boolean":
      return false;
    default:
      return null;
  }
}

function sizeOf(schema: Schema, keyword: string): number {
  const size = schema[keyword];
  return typeof size === "number" ? size : 0;
}
