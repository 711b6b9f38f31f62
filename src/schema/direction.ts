import { isObject } from "../base/is-object.js";

/** The keyword of properties that do not travel in requests, or in responses. Source: OpenAPI 3.1, "Schema Object"; JSON Schema, section 9.4. */
export type AbsentKeyword = "readOnly" | "writeOnly";

/** Finds the target of a reference. */
export type Resolve = (ref: string) => unknown;

type Node = Readonly<Record<string, unknown>>;

/** Lists a schema and all that judge the same value with it: the targets of its references, and the parts of its `allOf`. */
export function partsInPlace(given: unknown, resolve: Resolve): Node[] {
  const found = new Set<Node>();
  const add = (schema: unknown): void => {
    if (!isObject(schema) || found.has(schema)) return;
    found.add(schema);
    if (typeof schema.$ref === "string") add(resolve(schema.$ref));
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf) add(part);
  };
  add(given);
  return [...found];
}

/** Whether a schema says that what it describes does not travel in a direction. */
export function isAbsent(schema: unknown, keyword: AbsentKeyword, resolve: Resolve): boolean {
  return partsInPlace(schema, resolve).some((part) => part[keyword] === true);
}

/** The names of the properties of an object that do not travel in a direction, by any part of its schema. */
export function absentNames(schema: unknown, keyword: AbsentKeyword, resolve: Resolve): ReadonlySet<string> {
  const properties = partsInPlace(schema, resolve).flatMap((part) =>
    isObject(part.properties) ? Object.entries(part.properties) : [],
  );
  return new Set(properties.filter(([, one]) => isAbsent(one, keyword, resolve)).map(([name]) => name));
}
