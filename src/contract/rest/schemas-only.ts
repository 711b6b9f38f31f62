import { isObject } from "../../base/is-object.js";
import { type Kind, partsOf } from "./reading/parts.js";

/** Keys of schemas in which Ajv would take data for schemas, such as an example that has an `$id`. */
const dataKeys: ReadonlySet<string> = new Set(["default", "example", "examples"]);

/** Copies of a document for Ajv, by document. */
const copies = new WeakMap<object, object>();

/** Copies a document with nothing but its schemas and what leads to them, each at the same JSON pointer. */
export function schemasOnly(document: object): object {
  const known = copies.get(document) ?? (copy("document", document) as object);
  copies.set(document, known);
  return known;
}

function copy(kind: Kind, node: unknown): unknown {
  if (!isObject(node)) return node;
  const parts = partsOf[kind];
  const isKept = (key: string) => (kind === "schema" ? !dataKeys.has(key) && !key.startsWith("x-") : key === "$ref");
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
      const [shape, part] = Object.hasOwn(parts, key) ? (parts[key] ?? []) : [];
      if (part === undefined) return isKept(key) ? [[key, value]] : [];
      if (part === "example" || typeof value !== "object" || value === null)
        return part === "example" ? [] : [[key, value]];
      if (shape === "one") return [[key, copy(part, value)]];
      if (Array.isArray(value)) return [[key, value.map((one) => copy(part, one))]];
      return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copy(part, one)]))]];
    }),
  );
}
