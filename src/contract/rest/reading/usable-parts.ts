import { isObject } from "../../../base/is-object.js";
import { type UnusableKeyword, unusableKeywords } from "../../../schema/unusable-keywords.js";
import { valueAt } from "../../json-pointer.js";
import { unjudgedFeatures } from "../../unjudged-features.js";
import { cutKey } from "./cut-references.js";
import { findEndless } from "./find-endless.js";
import { type Kind, partsOf, type Shape } from "./parts.js";
import { documentResource, escapeKey, partsIn, readSchemaNames, type SchemaResource } from "./references.js";

type Node = Readonly<Record<string, unknown>>;

/** A part of a document that cannot be used. */
export interface Spot {
  /** Its JSON pointer. */
  readonly pointer: string;
  /** The objects that contain it, outer ones first. */
  readonly trail: readonly object[];
  /** The key in the last of them. */
  readonly key: string;
  readonly text: string;
}

/** Kinds of objects that the engine can do without. Whatever else is wrong in a document is read as far as possible. */
const parameterPlaces: ReadonlySet<unknown> = new Set(["path", "query", "header", "cookie", "querystring"]);

/**
 * Copies a document without the parts that cannot be used: references to nothing, schemas that lead back to themselves, keywords with
 * impossible values, things that are no objects. References of schemas by name become JSON pointers. The rest stays as it is.
 */
export function usableParts(document: Node): { readonly document: Node; readonly spots: readonly Spot[] } {
  const isOld = /^3\.0(\.|$)/.test(String(document.openapi));
  const names = readSchemaNames(document);
  const spots: Spot[] = [];
  const targets = new Map<Node, string>();
  const schemas = collectSchemas();
  const endless = findEndless(schemas, (schema) => {
    const pointer = targets.get(schema);
    const target = pointer === undefined ? undefined : valueAt(document, pointer);
    return isObject(target) ? target : undefined;
  });
  return { document: copy("document", document, { pointer: "", trail: [], key: "" }) as Node, spots };

  interface Place {
    readonly pointer: string;
    readonly trail: readonly object[];
    readonly key: string;
  }

  /** Lists all schemas, and notes where their references lead. */
  function collectSchemas(): Node[] {
    const found: Node[] = [];
    const visit = (kind: Kind, node: unknown, pointer: string, outer: SchemaResource): void => {
      if (!isObject(node)) return;
      const resource = kind === "schema" ? names.resourceOf(node, pointer, outer) : outer;
      if (kind === "schema") {
        found.push(node);
        const ref = node.$ref ?? node.$dynamicRef;
        const target = typeof ref === "string" ? names.find(ref, resource) : undefined;
        if (target !== undefined) targets.set(node, target);
      }
      for (const [part, inner, at] of partsIn(kind, node, pointer)) visit(part, inner, at, resource);
    };
    visit("document", document, "", documentResource);
    return found;
  }

  /** Undefined if the object cannot be used at all. */
  function copy(kind: Kind, node: unknown, place: Place): unknown {
    if (kind === "schema" && typeof node === "boolean") return node ? {} : { not: {} };
    if (!isObject(node)) {
      say(place, "is not an object");
      return kind === "schema" ? {} : undefined;
    }
    const trail = [...place.trail, node];
    if (cutKey in node) {
      say({ ...place, pointer: `${place.pointer}/$ref`, trail, key: "$ref" }, String(node[cutKey]));
      return kind === "schema" ? {} : undefined;
    }
    if (kind === "schema") return copySchema(node, { ...place, trail });
    if (typeof node.$ref === "string" && kind !== "document" && kind !== "components") {
      const problem = referenceProblem(node.$ref);
      if (problem === undefined) return node;
      say({ ...place, pointer: `${place.pointer}/$ref`, trail, key: "$ref" }, problem);
      return undefined;
    }
    if (kind === "example" && node.value === undefined && node.externalValue !== undefined) {
      say({ ...place, trail, key: "externalValue" }, missing(node.externalValue));
      return undefined;
    }
    if (kind === "parameter") {
      const problem = parameterProblem(node);
      if (problem !== undefined) {
        say(place, problem);
        return undefined;
      }
    }
    if (kind === "pathItem" && node.additionalOperations !== undefined)
      say(
        { ...place, trail, pointer: `${place.pointer}/additionalOperations`, key: "additionalOperations" },
        unjudgedFeatures.otherMethods.says(),
      );
    const { security } = node;
    const required = Array.isArray(security) && { security: security.filter(isObject) };
    return { ...node, ...required, ...copyParts(kind, node, { ...place, trail }) };
  }

  function copySchema(node: Node, place: Place): Node {
    const { $id, $anchor, $dynamicAnchor, $dynamicRef, $schema, $ref, $async, ...newest } = node;
    // Of JSON Schema 2019-09. Ajv follows them, also in a circle.
    const { $recursiveRef, $recursiveAnchor, ...rest } = newest;
    const kept: Record<string, unknown> = { ...rest };
    const ref = $ref ?? $dynamicRef;
    if (ref !== undefined) {
      const key = $ref === undefined ? "$dynamicRef" : "$ref";
      const target = targets.get(node);
      const end = endless.get(node);
      const problem = end ?? (target === undefined ? missing(ref) : undefined);
      if (problem === undefined) kept.$ref = `#${target}`;
      else say({ ...place, pointer: `${place.pointer}/${key}`, key }, problem);
    }
    if ($recursiveRef !== undefined)
      say(
        { ...place, pointer: `${place.pointer}/$recursiveRef`, key: "$recursiveRef" },
        "is not of OpenAPI's JSON Schema, which has `$dynamicRef`",
      );
    for (const { keyword, why, also = [] } of unusableKeywords(rest).filter((one) => !isOfOldVersion(one, rest))) {
      say({ ...place, pointer: `${place.pointer}/${keyword}`, key: keyword }, why);
      for (const key of [keyword, ...also]) delete kept[key];
    }
    // A tuple of older JSON Schema, which no version of OpenAPI has. Authors also mean alternatives by it.
    if (Array.isArray(kept.items)) {
      say({ ...place, pointer: `${place.pointer}/items`, key: "items" }, "is a list, where OpenAPI has one schema");
      delete kept.items;
    }
    return { ...kept, ...copyParts("schema", kept, place) };
  }

  function isOfOldVersion({ keyword }: UnusableKeyword, schema: Node): boolean {
    return (
      isOld &&
      (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") &&
      typeof schema[keyword] === "boolean"
    );
  }

  function copyParts(kind: Kind, node: Node, place: Place): Node {
    const copied: Record<string, unknown> = {};
    for (const [key, [shape, part]] of Object.entries(partsOf[kind])) {
      if (!Object.hasOwn(node, key) || node[key] === undefined) continue;
      const at = { pointer: `${place.pointer}/${key}`, trail: place.trail, key };
      const value = copyPart(shape, part, node[key], at);
      copied[key] = key === "additionalProperties" || /^unevaluated/.test(key) ? asBoolean(node[key], value) : value;
    }
    return copied;
  }

  function copyPart(shape: Shape, kind: Kind, value: unknown, place: Place): unknown {
    if (shape === "one") return copy(kind, value, place);
    if (shape === "list" ? !Array.isArray(value) : !isObject(value)) {
      say(place, shape === "list" ? "is not a list" : "is not an object");
      return shape === "list" ? undefined : {};
    }
    const trail = [...place.trail, value as object];
    const inner = Object.entries(value as object).flatMap(([key, one]) => {
      // Extensions may stand among names.
      if (kind !== "schema" && key.startsWith("x-") && shape === "map" && !isObject(one)) return [];
      if (place.pointer === "/paths" && /[?#]/.test(key)) {
        say(
          { pointer: `${place.pointer}/${escapeKey(key)}`, trail, key },
          "has a query or fragment, which no path of OpenAPI has",
        );
        return [];
      }
      if (kind === "header" && place.key === "headers" && !isHeaderName(key)) {
        say({ pointer: `${place.pointer}/${escapeKey(key)}`, trail, key }, noHeader);
        return [];
      }
      const copied = copy(kind, one, { pointer: `${place.pointer}/${escapeKey(key)}`, trail, key });
      if (kind === "response" && place.key === "responses" && !isStatus(key, place.pointer)) {
        say({ pointer: `${place.pointer}/${escapeKey(key)}`, trail, key }, "is no status");
        return [];
      }
      // OpenAPI writes ranges of statuses in capitals.
      const name = kind === "response" ? key.replace(/^([1-5])xx$/i, "$1XX") : key;
      return copied === undefined ? [] : [[name, copied] as const];
    });
    if (shape === "map") return Object.fromEntries(inner);
    // An empty list of alternatives would allow nothing.
    return inner.length === 0 && kind === "schema" ? undefined : inner.map(([, one]) => one);
  }

  /** Why a reference of another object than a schema cannot be followed. */
  function referenceProblem(first: string): string | undefined {
    const seen = new Set<string>();
    for (let ref: unknown = first; typeof ref === "string"; ) {
      if (seen.has(ref)) return "leads back to itself";
      seen.add(ref);
      const target: unknown = ref.startsWith("#/") ? valueAt(document, ref) : undefined;
      if (!isObject(target)) return missing(ref);
      ref = target.$ref;
    }
    return undefined;
  }

  function say({ pointer, trail, key }: Place, text: string): void {
    spots.push({ pointer, trail, key, text });
  }
}

/** Whether a response is kept under a status, or is a component, whose name may be any. */
function isStatus(key: string, pointer: string): boolean {
  return pointer === "/components/responses" || /^(?:[1-5](?:\d\d|xx)|default)$/i.test(key);
}

const noHeader = "has a name that no header may have";

/** Source: RFC 9110, section 5.6.2. */
function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function missing(ref: unknown): string {
  const isRemote = typeof ref === "string" && /^[a-z][a-z0-9+.-]+:\/\//i.test(ref);
  return `names ${JSON.stringify(ref)}, ${isRemote ? "which is not read without --remote" : "which does not exist"}`;
}

function asBoolean(given: unknown, copied: unknown): unknown {
  return typeof given === "boolean" ? given : copied;
}

function parameterProblem({ name, in: place, content }: Node): string | undefined {
  if (place === "querystring") {
    const isForm = isObject(content) && Object.keys(content).some((type) => type.includes("x-www-form-urlencoded"));
    return isForm ? undefined : unjudgedFeatures.wholeQuery.says();
  }
  if (typeof name !== "string" || name === "") return "is a parameter without a name";
  if (place === "header" && !isHeaderName(name)) return noHeader;
  return parameterPlaces.has(place)
    ? undefined
    : `is a parameter in ${JSON.stringify(place) ?? "no place"}, which OpenAPI 3 does not have`;
}
