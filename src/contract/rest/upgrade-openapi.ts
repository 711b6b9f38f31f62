import { isObject } from "../../base/is-object.js";
import { dataKeys, namedKeys } from "./reading/escape-data.js";

/**
 * Writes an OpenAPI 3.0 document as 3.1: `nullable`, boolean bounds, and `example` of schemas become what JSON Schema 2020-12 has for them.
 * Source: OpenAPI 3.1, "Schema Object"; the migration guide of the OpenAPI Initiative. A document of 3.1 or 3.2 keeps all but `example`.
 */
export function upgradeOpenApi(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isOld = /^3\.0(\.|$)/.test(String(document.openapi));
  const upgraded = upgrade(document, isOld, true) as Record<string, unknown>;
  return /^3\.1(\.|$)/.test(String(document.openapi)) ? upgraded : { ...upgraded, openapi: "3.1.0" };
}

function upgrade(node: unknown, isOld: boolean, areNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => upgrade(item, isOld, false));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    // Media types have examples, too, but are not schemas.
    if (!areNames && key === "content" && isObject(value))
      return [key, Object.fromEntries(Object.entries(value).map(([type, one]) => [type, upgradeMedia(one, isOld)]))];
    if (areNames) return [key, upgrade(value, isOld, namedKeys.has(key) && isRoot(node))];
    return [key, dataKeys.has(key) ? value : upgrade(value, isOld, namedKeys.has(key))];
  });
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  return areNames ? copy : upgradeSchema(copy, isOld);
}

function upgradeMedia(media: unknown, isOld: boolean): unknown {
  const upgraded = upgrade(media, isOld, false);
  if (!isObject(media) || !isObject(upgraded) || "schema" in media || "examples" in media) return upgraded;
  const { examples: _, ...rest } = upgraded;
  return "example" in media ? { ...rest, example: media.example } : rest;
}

/** Whether an object is the document itself, whose keys are both names and keywords. */
function isRoot(node: object): boolean {
  return "openapi" in node && "paths" in node;
}

/** Rewrites the keywords of a schema. Other objects have none of them. */
function upgradeSchema(node: Record<string, unknown>, isOld: boolean): Record<string, unknown> {
  if (isOld && typeof node.$ref === "string") return upgradeReference(node);
  const { example, ...withoutExample } = node;
  const isSchema = !("in" in node || "schema" in node || "content" in node);
  const schema =
    example !== undefined && isSchema && !("examples" in node) ? { ...withoutExample, examples: [example] } : node;
  return isOld ? withNull(withNumericBounds(schema)) : "nullable" in schema ? withNullOfType(schema) : schema;
}

/** Keywords beside a reference that only allow more, so that nobody is blamed whichever reading an author means. */
const lenient: ReadonlySet<string> = new Set(["$ref", "nullable", "readOnly", "writeOnly"]);

/** A reference of 3.0 is alone: whatever is beside it is ignored (OpenAPI 3.0, "Reference Object"). */
function upgradeReference(node: Record<string, unknown>): Record<string, unknown> {
  return withNull(Object.fromEntries(Object.entries(node).filter(([key]) => lenient.has(key) || key.startsWith("x-"))));
}

/** OpenAPI 3.1 has no `nullable`. Beside a type, many authors mean what it was in 3.0; elsewhere it is ignored. */
function withNullOfType(node: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...schema } = node;
  return nullable === true && typeof schema.type === "string"
    ? withNull(node)
    : typeof nullable === "boolean"
      ? schema
      : node;
}

function withNumericBounds(node: Record<string, unknown>): Record<string, unknown> {
  const changed = { ...node };
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof node[exclusive] !== "boolean") continue;
    delete changed[exclusive];
    if (node[exclusive] !== true) continue;
    changed[exclusive] = node[bound];
    delete changed[bound];
  }
  return changed;
}

function withNull(node: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...schema } = node;
  if (typeof nullable !== "boolean") return node;
  if (!nullable) return schema;
  const { type, enum: listed } = schema;
  // Without a type, the alternatives decide.
  if (typeof type !== "string")
    return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
  const withEnum = Array.isArray(listed) && !listed.includes(null) ? { enum: [...listed, null] } : {};
  return { ...schema, type: [type, "null"], ...withEnum };
}
