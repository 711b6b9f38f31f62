import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isObject } from "../../../base/is-object.js";
import { valueAt } from "../../json-pointer.js";
import { mapNodes } from "../map-nodes.js";

/** Keys whose values are data, in which nothing is a schema or a reference. */
export const dataKeys: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples", "value"]);
/** Keys whose values are objects with names of authors, which may look like keywords. */
export const namedKeys: ReadonlySet<string> = new Set([
  ...["$defs", "definitions", "patternProperties", "properties", "responses", "schemas"],
  ...["encoding", "headers", "links", "parameters", "paths", "requestBodies", "securitySchemes", "variables"],
]);

/** What stands for keys in data that Redocly would follow. */
const escapes: ReadonlyMap<string, string> = new Map([
  ["$ref", "accord-ref"],
  ["externalValue", "accord-external-value"],
]);
const unescapes: ReadonlyMap<string, string> = new Map([...escapes].map(([key, escaped]) => [escaped, key]));

/**
 * Renames `$ref` in the data of a file, such as an example of a schema language, so that no reader follows it. Many documents put examples in
 * files of their own by a reference that OpenAPI does not have; a reference to a file or a part that exists stays one.
 */
export function escapeData(root: unknown, file: string): unknown {
  const isFollowed = (ref: unknown) => {
    if (typeof ref !== "string" || /^[a-z][a-z0-9+.-]+:/i.test(ref)) return false;
    const [path = "", pointer = ""] = ref.split("#");
    return path === ""
      ? valueAt(root, pointer) !== undefined && pointer !== ""
      : existsSync(resolve(dirname(file), path));
  };
  const escapeAll = (data: unknown) =>
    mapNodes(data, (node) => {
      if (!("$ref" in node || "externalValue" in node) || isFollowed(node.$ref)) return node;
      return renamed(node, escapes);
    });
  const walk = (node: unknown, areNames: boolean): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (areNames || !dataKeys.has(key)) walk(value, !areNames && namedKeys.has(key));
      // Of named examples, each is an object, which may be a reference or have data at `value`.
      else if (key === "examples" && !Array.isArray(value)) walk(value, true);
      else if (typeof value === "object" && value !== null) Reflect.set(node, key, escapeAll(value));
    }
  };
  walk(root, false);
  return root;
}

/** A document without what Redocly would follow to another place: in data, in extensions and in the mapping of a discriminator. */
export function withoutRemote(document: Readonly<Record<string, unknown>>): unknown {
  const isRemote = (ref: unknown) => typeof ref === "string" && /^[a-z][a-z0-9+.-]*:/i.test(ref);
  // The document is one file. Others, which a mapping may name, do not exist.
  const isElsewhere = (target: unknown) => isRemote(target) || /^[^#]+[/#]/.test(String(target));
  return mapNodes(document, (node) => {
    const kept = Object.entries(node).filter(([key, value]) => !(escapes.has(key) && isRemote(value)));
    return Object.fromEntries(
      kept.map(([key, value]) =>
        key === "mapping" && isObject(value)
          ? [key, Object.fromEntries(Object.entries(value).filter(([, target]) => !isElsewhere(target)))]
          : [key, value],
      ),
    );
  });
}

/** Undoes `escapeData`. */
export function unescapeData(root: unknown): unknown {
  return mapNodes(root, (node) =>
    Object.keys(node).some((key) => unescapes.has(key)) ? renamed(node, unescapes) : node,
  );
}

function renamed(node: Record<string, unknown>, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [names.get(key) ?? key, value]));
}
