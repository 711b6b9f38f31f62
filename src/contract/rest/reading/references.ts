import { isObject } from "../../../base/is-object.js";
import { valueAt } from "../../json-pointer.js";
import type { Kind, Shape } from "./parts.js";
import { partsOf } from "./parts.js";

type Node = Readonly<Record<string, unknown>>;

/** Finds what references of schemas name, besides by a JSON pointer: by the `$id` or `$anchor` of a schema. */
export interface SchemaNames {
  /** The JSON pointer to the target of a reference in a schema whose nearest `$id` is at `resource`. Undefined if nothing has that name. */
  readonly find: (ref: string, resource: SchemaResource) => string | undefined;
  /** The resource of a schema within another one. */
  readonly resourceOf: (schema: Node, pointer: string, outer: SchemaResource) => SchemaResource;
  /** Whether any schema has a name. */
  readonly hasNames: boolean;
}

/** A schema with an `$id`, or the document. */
export interface SchemaResource {
  readonly pointer: string;
  readonly uri: string;
}

export const documentResource: SchemaResource = { pointer: "", uri: "" };

/** Reads the names that schemas of a document have. */
export function readSchemaNames(document: Node): SchemaNames {
  const pointers = new Map<string, string>();
  const dynamic = new Map<string, string[]>();
  const add = (kind: Kind, node: unknown, pointer: string, outer: SchemaResource): void => {
    if (!isObject(node)) return;
    const resource = kind === "schema" ? resourceOf(node, pointer, outer) : outer;
    if (kind === "schema") {
      if (resource !== outer) pointers.set(resource.uri, pointer);
      for (const key of ["$anchor", "$dynamicAnchor"])
        if (typeof node[key] === "string") pointers.set(`${resource.uri}#${node[key]}`, pointer);
      if (typeof node.$dynamicAnchor === "string")
        dynamic.set(node.$dynamicAnchor, [...(dynamic.get(node.$dynamicAnchor) ?? []), pointer]);
    }
    for (const [part, inner, at] of partsIn(kind, node, pointer)) add(part, inner, at, resource);
  };
  add("document", document, "", documentResource);

  return { find, resourceOf, hasNames: pointers.size > 0 };

  function find(ref: string, resource: SchemaResource): string | undefined {
    const [path = "", fragment = ""] = ref.split("#");
    const uri = path === "" ? resource.uri : absolute(path, resource.uri);
    const owner = uri === "" ? "" : pointers.get(uri);
    if (fragment !== "" && !fragment.startsWith("/")) return pointers.get(`${uri}#${fragment}`);
    const local = [owner === undefined ? undefined : `${owner}${fragment}`, path === "" ? fragment : undefined];
    return local
      .flatMap((one) => (one === undefined ? [] : [one, decoded(one)]))
      .find((one) => exists(valueAt(document, one)));
  }
}

function resourceOf(schema: Node, pointer: string, outer: SchemaResource): SchemaResource {
  const { $id } = schema;
  return typeof $id === "string" && $id !== "" && !$id.startsWith("#")
    ? { pointer, uri: absolute($id, outer.uri) }
    : outer;
}

function exists(value: unknown): boolean {
  return isObject(value) || typeof value === "boolean";
}

function absolute(uri: string, base: string): string {
  try {
    return new URL(uri, base === "" ? undefined : base).href.replace(/#$/, "");
  } catch {
    return uri;
  }
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}

/** Lists the parts of an object with their kinds and JSON pointers. */
export function* partsIn(kind: Kind, node: Node, pointer: string): Generator<readonly [Kind, unknown, string, Shape]> {
  for (const [key, [shape, part]] of Object.entries(partsOf[kind])) {
    const value = Object.hasOwn(node, key) ? node[key] : undefined;
    if (value === undefined) continue;
    const at = `${pointer}/${key}`;
    if (shape === "one") yield [part, value, at, shape];
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) yield [part, one, `${at}/${escapeKey(name)}`, shape];
  }
}

/** Escapes a key for a JSON pointer (RFC 6901, section 3). */
export function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Writes the references of schemas by an `$id` or `$anchor` of the same file as JSON pointers, since Redocly would fetch them. */
export function nameByPointer(document: Node): void {
  const names = readSchemaNames(document);
  if (!names.hasNames) return;
  const visit = (kind: Kind, node: unknown, pointer: string, outer: SchemaResource): void => {
    if (!isObject(node)) return;
    const resource = kind === "schema" ? resourceOf(node, pointer, outer) : outer;
    const target = kind === "schema" && typeof node.$ref === "string" ? names.find(node.$ref, resource) : undefined;
    if (target !== undefined) node.$ref = `#${target}`;
    for (const [part, inner, at] of partsIn(kind, node, pointer)) visit(part, inner, at, resource);
  };
  visit("document", document, "", documentResource);
}
