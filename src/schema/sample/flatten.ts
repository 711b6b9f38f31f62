import { isObject } from "../../base/is-object.js";
import { partsInPlace, type Resolve } from "../direction.js";
import { readDiscriminator } from "../discriminator.js";

export type Node = Readonly<Record<string, unknown>>;

/** Alternatives of a schema, and the values that name them. */
export interface Alternatives {
  /** The schema that has them. */
  readonly owner: Node;
  readonly schemas: readonly unknown[];
  readonly names: ReadonlyMap<number, readonly [property: string, value: string]>;
}

/** A schema with all that judges the same value: references followed, and the parts of `allOf` merged. */
export interface Flat {
  readonly parts: readonly Node[];
  readonly types: readonly string[] | undefined;
  readonly properties: ReadonlyMap<string, readonly unknown[]>;
  readonly required: ReadonlySet<string>;
  readonly alternatives: readonly Alternatives[];
}

/** Flattens schemas that judge the same value. */
export function flatten(schemas: readonly unknown[], resolve: Resolve): Flat {
  const parts = [...new Set(schemas.flatMap((schema) => partsInPlace(schema, resolve)))];
  const properties = new Map<string, unknown[]>();
  for (const part of parts)
    for (const [name, schema] of Object.entries(isObject(part.properties) ? part.properties : {}))
      properties.set(name, [...(properties.get(name) ?? []), schema]);
  const lists = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat().map(String)]));
  const [types, ...others] = lists;
  return {
    parts,
    types: types?.filter((type) => others.every((list) => list.some((other) => covers(other, type)))),
    properties,
    required: new Set(
      parts.flatMap(({ required }) =>
        Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
      ),
    ),
    alternatives: parts.flatMap((part) => alternativesOf(part, resolve)),
  };
}

function covers(list: string, type: string): boolean {
  return list === type || (list === "number" && type === "integer");
}

function alternativesOf(owner: Node, resolve: Resolve): Alternatives[] {
  const named = readDiscriminator(owner, resolve);
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const schemas = owner[keyword];
    if (!Array.isArray(schemas) || schemas.length === 0) return [];
    const names = new Map<number, readonly [string, string]>();
    if (named?.keyword === keyword)
      for (const [value, at] of named.positions)
        if (at !== undefined && !names.has(at)) names.set(at, [named.property, value]);
    return [{ owner, schemas, names }];
  });
}

/** The values of a keyword in all parts. */
export function all(flat: Flat, keyword: string): unknown[] {
  return flat.parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword]]));
}

/** The tightest bound of a keyword. */
export function bound(flat: Flat, keyword: string, tightest: "min" | "max"): number | undefined {
  const numbers = all(flat, keyword).filter((one) => typeof one === "number");
  if (numbers.length === 0) return undefined;
  return tightest === "min" ? Math.max(...numbers) : Math.min(...numbers);
}
