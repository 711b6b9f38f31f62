import { type ContractDocument, resolve, type Schema } from "../contract/rest/document.js";

type Json = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const single = new Set(["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"]);
const lists = new Set(["anyOf", "oneOf", "allOf"]);
const maps = new Set(["properties", "patternProperties"]);
/** Constraining keywords with the same meaning in both versions. */
const shared = new Set([
  ...["type", "const", "enum", "required", "pattern", "minLength", "maxLength", "minimum", "maximum", "multipleOf"],
  ...["exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"],
]);
/** Keywords without constraints. */
const annotations = new Set([
  ...["title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment"],
  ...["contentMediaType", "contentEncoding", "contentSchema", "discriminator", "xml", "externalDocs"],
]);
/** The formats of draft-07 (section 7.3); others, such as `int64`, have no meaning there. */
const formats: ReadonlySet<unknown> = new Set([
  ...["date-time", "date", "time", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "iri"],
  ...["uri-reference", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer", "regex"],
]);
const sharedPrefix = "#/components/schemas/";

/**
 * Converts a schema of the contract, which uses JSON Schema 2020-12, to a standalone draft-07 document, for tools that read nothing
 * newer. Referenced schemas become its `definitions`. Throws an `Error` for a keyword that has no equivalent in draft-07.
 */
export function toDraft07(document: ContractDocument, schema: Schema): object {
  const definitions: Record<string, unknown> = {};

  function reference(target: string): string {
    if (!target.startsWith(sharedPrefix))
      throw new Error(`${target} is not a shared schema, so it cannot be referenced`);
    const name = target.slice(sharedPrefix.length);
    if (!Object.hasOwn(definitions, name)) {
      // Reserved first, because a schema may reference itself.
      definitions[name] = {};
      definitions[name] = convert(resolve<Schema>(document, { $ref: target }));
    }
    return `#/definitions/${name}`;
  }

  function convert(given: unknown): unknown {
    if (typeof given !== "object" || given === null) return given;
    const { $ref, ...rest } = given as Json & { readonly $ref?: string };
    const own = convertKeywords(rest);
    if ($ref === undefined) return own;
    const referring = { $ref: reference($ref) };
    // Draft-07 ignores keywords beside `$ref`.
    return Object.keys(own).length === 0 ? referring : { allOf: [referring, own] };
  }

  function convertKeywords(node: Json): Json {
    const result: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (shared.has(keyword)) result[keyword] = value;
      else if (keyword === "prefixItems") result.items = (value as unknown[]).map(convert);
      else if (keyword === "items" && "prefixItems" in node) result.additionalItems = convert(value);
      else if (single.has(keyword)) result[keyword] = convert(value);
      else if (lists.has(keyword)) result[keyword] = (value as unknown[]).map(convert);
      else if (maps.has(keyword)) result[keyword] = convertEach(value as Json);
      else if (keyword === "format") {
        if (formats.has(value)) result.format = value;
      } else if (!annotations.has(keyword) && !keyword.startsWith("x-")) {
        throw new Error(`${keyword} cannot be expressed in JSON Schema draft-07`);
      }
    }
    return result;
  }

  function convertEach(schemas: Json): Json {
    return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, convert(value)]));
  }

  const root = convert(schema);
  const body = typeof root === "object" && root !== null && "$ref" in root ? { allOf: [root] } : (root as object);
  return { $schema: "http://json-schema.org/draft-07/schema#", ...body, definitions };
}
