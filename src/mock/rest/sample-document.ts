import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
} from "../../contract/rest/document.js";
import { withoutUnusedComponents } from "../../contract/rest/level/without-unused-components.js";
import { mapNodes } from "../../contract/rest/map-nodes.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { isTooLargeToSample } from "../../contract/rest/sample-bound.js";
import { withoutCircles } from "./without-circles.js";

/** The key of `$ref` in data, such as an example of a schema language: Prism would fetch its URL. */
const escapedRef = "accord-ref";

/**
 * The responses of one operation as a document for Prism, which takes seconds for a large document, and minutes for schemas that refer to
 * each other in circles. So optional parts that lead back to a schema are omitted. Prism also needs a schema for each required property.
 */
export function sampleDocument(document: ContractDocument, { method, operation }: ListedOperation): object {
  const { openapi, info, components } = document;
  const { operationId, responses, deprecated } = operation;
  const bounded = withinBounds(document, withoutLinks(responses), operationId);
  const alone = { operationId, responses: bounded, ...(deprecated ? { deprecated } : {}) };
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
    (node) => withOwnPartsLast(withSchemaPerRequired(withoutNamePatterns(escapeData(node)))),
  ) as object;
}

/** Replaces the schemas of which no sample is made. */
function withinBounds(
  document: ContractDocument,
  responses: OperationObject["responses"],
  operationId: string,
): OperationObject["responses"] {
  const bounded = (holder: { readonly schema?: unknown }) =>
    isTooLargeToSample(document, holder.schema, `${operationId}, a response`) ? { ...holder, schema: {} } : holder;
  const all = <Value extends object>(values: Record<string, Value> | undefined) =>
    Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, bounded(value)]));
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content, headers, ...rest } = resolve<ResponseObject>(document, response);
      return [status, { ...rest, content: all(content), headers: all(headers as Record<string, object>) }];
    }),
  ) as OperationObject["responses"];
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

/** Prism searches forever for names that match a pattern. */
function withoutNamePatterns(node: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties, ...rest } = node;
  return patternProperties === undefined || "in" in node ? node : rest;
}

function withSchemaPerRequired(node: Record<string, unknown>): Record<string, unknown> {
  const { required, properties } = node;
  if (!Array.isArray(required) || typeof properties !== "object" || properties === null) return node;
  const missing = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}]);
  return missing.length === 0 ? node : { ...node, properties: { ...properties, ...Object.fromEntries(missing) } };
}

/** Prism takes the last schema of a property. A schema usually narrows the parts that it shares with others, such as the type of a node. */
function withOwnPartsLast(node: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(node.allOf)) return node;
  const isShared = (part: unknown) => typeof part === "object" && part !== null && "$ref" in part;
  return { ...node, allOf: [...node.allOf.filter(isShared), ...node.allOf.filter((part) => !isShared(part))] };
}

/** Links need the operations that they name. */
function withoutLinks(responses: OperationObject["responses"]): OperationObject["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, { ...response, links: {} }]),
  );
}
