import { isObject } from "../base/is-object.js";
import { partsInPlace, type Resolve } from "./direction.js";

type Node = Readonly<Record<string, unknown>>;

/** Which alternative of a schema each value of a property names. Source: OpenAPI 3.1, "Discriminator Object". */
export interface Discriminator {
  readonly property: string;
  readonly keyword: "oneOf" | "anyOf";
  /** The positions of the alternatives by value. Undefined for a value that names a schema which is no alternative. */
  readonly positions: ReadonlyMap<string, number | undefined>;
}

/**
 * Reads the discriminator of a schema with alternatives. Undefined without one, and if it leaves open which values name an alternative: an
 * alternative has neither a name nor a list of values, or two have the same.
 */
export function readDiscriminator(schema: unknown, resolve: Resolve): Discriminator | undefined {
  if (!isObject(schema) || !isObject(schema.discriminator)) return undefined;
  const { propertyName: property, mapping } = schema.discriminator;
  const keyword = Array.isArray(schema.oneOf) ? "oneOf" : "anyOf";
  const alternatives = schema[keyword];
  if (typeof property !== "string" || !Array.isArray(alternatives)) return undefined;
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).map(([value, to]) => [value, nameOf(to)] as const);
  const positions = new Map<string, number | undefined>();
  for (const [at, alternative] of alternatives.entries()) {
    if (!isObject(alternative) || alternative.type === "null") continue;
    const name = nameOf(alternative.$ref);
    const values = [
      ...mapped.filter(([, to]) => to !== undefined && to === name).map(([value]) => value),
      ...listedValues(alternative, property, resolve),
    ];
    if (values.length === 0 && name === undefined) return undefined;
    for (const value of values) {
      if (positions.has(value) && positions.get(value) !== at) return undefined;
      positions.set(value, at);
    }
  }
  for (const [at, { $ref }] of (alternatives as Node[]).entries()) {
    const name = nameOf($ref);
    if (name !== undefined && !positions.has(name)) positions.set(name, at);
  }
  for (const [value] of mapped) if (!positions.has(value)) positions.set(value, undefined);
  return { property, keyword, positions };
}

/** The values that an alternative allows for a property, or those that name its own alternatives. */
function listedValues(alternative: Node, property: string, resolve: Resolve): string[] {
  const parts = partsInPlace(alternative, resolve);
  const properties = parts.map((part) => (isObject(part.properties) ? part.properties[property] : undefined));
  const listed = properties
    .flatMap((one) => partsInPlace(one, resolve))
    .flatMap((one) => (Array.isArray(one.enum) ? one.enum : one.const));
  const inner = parts.filter((part) => part !== alternative).map((part) => readDiscriminator(part, resolve));
  const nested = inner.flatMap((one) => (one?.property === property ? [...one.positions.keys()] : []));
  return [...listed, ...nested].filter((value) => typeof value === "string");
}

/** The name of a schema in a reference, or in the mapping of a discriminator. */
function nameOf(ref: unknown): string | undefined {
  return typeof ref === "string" ? ref.replace(/^.*\//s, "").replaceAll("~1", "/").replaceAll("~0", "~") : undefined;
}
