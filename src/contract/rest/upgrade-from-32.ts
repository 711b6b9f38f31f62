import { isObject } from "../../base/is-object.js";
import { valueAt } from "../json-pointer.js";
import { mapNodes } from "./map-nodes.js";

type Node = Record<string, unknown>;

/**
 * Writes what only OpenAPI 3.2 has as 3.1: references to media types, examples with `dataValue`, and the fields of a form in the query
 * string. Any other document stays as it is. `itemSchema` and the method `query` are read as they are.
 */
export function upgradeFrom32(document: Readonly<Node>): Readonly<Node> {
  if (!/^3\.2(\.|$)/.test(String(document.openapi))) return document;
  const targetOf = (node: unknown): unknown =>
    isObject(node) && typeof node.$ref === "string" && node.$ref.startsWith("#/components/")
      ? valueAt(document, node.$ref)
      : node;
  return mapNodes(document, (node) => {
    const changed: Node = { ...node };
    if (isObject(node.content))
      changed.content = Object.fromEntries(Object.entries(node.content).map(([type, one]) => [type, targetOf(one)]));
    if (Array.isArray(node.parameters))
      changed.parameters = node.parameters.flatMap((one) => fieldsOfQuery(targetOf(one), targetOf) ?? [one]);
    if ("dataValue" in node && !("value" in node)) changed.value = node.dataValue;
    return changed;
  }) as Node;
}

/** A parameter for each field of a form that is the whole query string. Undefined for another parameter. */
function fieldsOfQuery(parameter: unknown, targetOf: (node: unknown) => unknown): Node[] | undefined {
  if (!isObject(parameter) || parameter.in !== "querystring") return undefined;
  const content = isObject(parameter.content) ? parameter.content : {};
  const form = Object.entries(content).find(([type]) => /^application\/x-www-form-urlencoded\b/i.test(type))?.[1];
  const schema = isObject(form) ? targetOf(form.schema) : undefined;
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    ...{ name, in: "query", schema: property },
    ...(required.includes(name) ? { required: true } : {}),
  }));
}
