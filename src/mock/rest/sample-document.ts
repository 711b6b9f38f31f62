import type { ContractDocument, OperationObject, Schema } from "../../contract/rest/document.js";
import { withoutUnusedComponents } from "../../contract/rest/level/without-unused-components.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { mapNodes } from "../../contract/rest/profiles/map-nodes.js";

/** The key of `$ref` in data, such as an example of SCIM: Prism would fetch its URL. */
const escapedRef = "accord-ref";

/**
 * The responses of one operation as a document for Prism, which takes seconds for a large document, and minutes for schemas that refer to
 * each other in circles. So optional parts that lead back to a schema are omitted. Prism also needs a schema for each required property.
 */
export function sampleDocument(document: ContractDocument, { method, operation }: ListedOperation): object {
  const { openapi, info, components } = document;
  const { operationId, responses, deprecated } = operation;
  const alone = { operationId, responses: withoutLinks(responses), ...(deprecated ? { deprecated } : {}) };
  const { securitySchemes: _, ...reachable } = components;
  const part = withoutUnusedComponents({
    openapi,
    info: { title: info.title, version: info.version },
    servers: [{ url: "/" }],
    paths: { "/": { [method]: alone } },
    components: { ...reachable, schemas: reachable.schemas },
  });
  return mapNodes(
    { ...part, components: { ...part.components, schemas: withoutCircles(part.components.schemas) } },
    (node) => withSchemaPerRequired(escapeData(node)),
  ) as object;
}

/** Undoes what `sampleDocument` does to data. */
export function restoreData(body: unknown): unknown {
  return mapNodes(body, ({ [escapedRef]: ref, ...node }) => (ref === undefined ? node : { $ref: ref, ...node }));
}

function escapeData(node: Record<string, unknown>): Record<string, unknown> {
  const { $ref, ...rest } = node;
  return $ref === undefined || isReference($ref) ? node : { ...rest, [escapedRef]: $ref };
}

/** After bundling, every reference points into the document. */
function isReference(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("#/");
}

function withSchemaPerRequired(node: Record<string, unknown>): Record<string, unknown> {
  const { required, properties } = node;
  if (!Array.isArray(required) || typeof properties !== "object" || properties === null) return node;
  const missing = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}]);
  return missing.length === 0 ? node : { ...node, properties: { ...properties, ...Object.fromEntries(missing) } };
}

/** Links need the operations that they name. */
function withoutLinks(responses: OperationObject["responses"]): OperationObject["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, { ...response, links: {} }]),
  );
}

/** Copies schemas without the optional parts that lead back to a schema in which they are. */
function withoutCircles(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const done: Record<string, Schema> = {};
  const open = new Set<string>();

  function visit(name: string): void {
    const schema = schemas[name];
    if (schema === undefined || name in done) return;
    open.add(name);
    const copy = cut(schema);
    done[name] = copy === undefined ? {} : (copy as Schema);
    open.delete(name);
  }

  /** Undefined for a reference that would close a circle. */
  function cut(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(cut).filter((item) => item !== undefined);
    if (typeof node !== "object" || node === null) return node;
    if ("$ref" in node && isReference(node.$ref)) {
      const name = schemaName(node.$ref);
      if (name === undefined) return node;
      if (open.has(name)) return undefined;
      visit(name);
      return node;
    }
    const entries = Object.entries(node).map(([key, value]) => [key, cut(value)] as const);
    const kept = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    if ("items" in node && !("items" in kept)) kept.maxItems = 0;
    return ["anyOf", "oneOf"].some((key) => isEmptied(node, kept, key)) ? undefined : kept;
  }

  for (const name of Object.keys(schemas)) visit(name);
  return done;
}

function isEmptied(before: object, after: Readonly<Record<string, unknown>>, key: string): boolean {
  return key in before && Array.isArray(after[key]) && after[key].length === 0;
}

function schemaName(reference: string): string | undefined {
  return /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1]?.replaceAll("~1", "/").replaceAll("~0", "~");
}
