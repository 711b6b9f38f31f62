/** Keys whose values are data, in which nothing is a schema. */
const dataKeys: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples", "value"]);
/** Keys whose values are objects with names of authors, which may look like keywords. */
const namedKeys: ReadonlySet<string> = new Set([
  ...["$defs", "definitions", "patternProperties", "properties", "responses", "schemas"],
  ...["encoding", "headers", "links", "parameters", "paths", "requestBodies", "securitySchemes", "variables"],
]);

/**
 * Writes an OpenAPI 3.0 document as 3.1: `nullable`, boolean bounds, and `example` of schemas become what JSON Schema 2020-12 has for them.
 * Source: OpenAPI 3.1, "Schema Object"; the migration guide of the OpenAPI Initiative. A document of 3.1 keeps all but `example`.
 */
export function upgradeOpenApi(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isOld = /^3\.0(\.|$)/.test(String(document.openapi));
  const upgraded = upgrade(document, isOld, true) as Record<string, unknown>;
  return isOld ? { ...upgraded, openapi: "3.1.0" } : upgraded;
}

function upgrade(node: unknown, isOld: boolean, areNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => upgrade(item, isOld, false));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    if (areNames) return [key, upgrade(value, isOld, namedKeys.has(key) && isRoot(node))];
    return [key, dataKeys.has(key) ? value : upgrade(value, isOld, namedKeys.has(key))];
  });
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  return areNames ? copy : upgradeSchema(copy, isOld);
}

/** Whether an object is the document itself, whose keys are both names and keywords. */
function isRoot(node: object): boolean {
  return "openapi" in node && "paths" in node;
}

/** Rewrites the keywords of a schema. Other objects have none of them. */
function upgradeSchema(node: Record<string, unknown>, isOld: boolean): Record<string, unknown> {
  const { example, ...withoutExample } = node;
  const isSchema = !("in" in node || "schema" in node || "content" in node);
  const schema =
    example !== undefined && isSchema && !("examples" in node) ? { ...withoutExample, examples: [example] } : node;
  return isOld ? withNull(withNumericBounds(schema)) : schema;
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
