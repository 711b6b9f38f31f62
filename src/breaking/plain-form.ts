import { isObject } from "../base/is-object.js";
import { type ContractDocument, resolve, type Schema } from "../contract/rest/document.js";
import { mapNodes } from "../contract/rest/map-nodes.js";

/** The styles of parameters without one (OpenAPI 3.1, "Parameter Object"). */
const defaultStyles: Readonly<Record<string, string>> = {
  query: "form",
  cookie: "form",
  path: "simple",
  header: "simple",
};

/** Copies a document without what only repeats a default, and with objects in one piece that `allOf` splits. */
export function plainForm(document: ContractDocument): ContractDocument {
  return mapNodes(document, (node) => withoutDefaults(inOnePiece(document, node))) as ContractDocument;
}

function withoutDefaults(node: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { in: place, name, style, explode, ...rest } = node;
  const usual = typeof place === "string" && typeof name === "string" ? defaultStyles[place] : undefined;
  if (usual === undefined) return { ...node };
  const isExploded = (style ?? usual) === "form";
  return {
    ...{ in: place, name, ...rest },
    ...(style === undefined || style === usual ? {} : { style }),
    ...(explode === undefined || explode === isExploded ? {} : { explode }),
  };
}

/** The members of a schema that can be joined. */
const joined: ReadonlySet<string> = new Set(["type", "properties", "required", "description", "title"]);

function inOnePiece(
  document: ContractDocument,
  node: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { allOf, ...own } = node;
  if (!Array.isArray(allOf)) return node;
  const parts = [own, ...allOf.map((one) => (isObject(one) ? resolve<Schema>(document, one) : {}))] as Schema[];
  const names = parts.flatMap(({ properties = {} }) => Object.keys(properties));
  const canJoin =
    new Set(names).size === names.length &&
    parts.every((part) => Object.keys(part).every((key) => joined.has(key)) && (part.type ?? "object") === "object");
  if (!canJoin) return node;
  const { description, title } = own;
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  return {
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)),
    ...(required.length === 0 ? {} : { required }),
  };
}
