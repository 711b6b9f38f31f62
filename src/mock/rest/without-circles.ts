import type { Schema } from "../../contract/rest/document.js";

type Schemas = Readonly<Record<string, Schema>>;

/**
 * Copies schemas without circles of references: without optional properties and entries that lead back to the schema that they are in, and
 * then without such alternatives, unless there is no other. Every value of the result also fits the original.
 */
export function withoutCircles(schemas: Schemas): Record<string, Schema> {
  return withoutAlternatives(withoutOptionalParts(schemas));
}

function withoutOptionalParts(schemas: Schemas): Record<string, Schema> {
  const leadsTo = reachability(schemas);
  return mapSchemas(schemas, (name, schema) => {
    const isCircle = (node: unknown) => referencesIn(node).some((reference) => leadsTo(reference, name));
    return rewrite(schema, (node) => {
      const { items, properties = {}, required = [], additionalProperties } = node;
      const kept = Object.entries(properties).filter(([key, value]) => required.includes(key) || !isCircle(value));
      return {
        ...node,
        ...(isCircle(items) ? { items: {}, minItems: 0, maxItems: 0 } : {}),
        ...(node.properties === undefined ? {} : { properties: Object.fromEntries(kept) }),
        ...(isCircle(additionalProperties) ? { additionalProperties: false } : {}),
      };
    });
  });
}

function withoutAlternatives(schemas: Schemas): Record<string, Schema> {
  const leadsTo = reachability(schemas);
  return mapSchemas(schemas, (name, schema) => {
    const others = (list: readonly Schema[] = []) =>
      list.filter((node) => !referencesIn(node).some((reference) => leadsTo(reference, name)));
    return rewrite(schema, (node) => {
      const [any, one] = [others(node.anyOf), others(node.oneOf)];
      return { ...node, ...(any.length === 0 ? {} : { anyOf: any }), ...(one.length === 0 ? {} : { oneOf: one }) };
    });
  });
}

function mapSchemas(schemas: Schemas, change: (name: string, schema: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(name, schema)]));
}

/** Copies a schema and changes every object that may be a schema in it, inner ones first. */
function rewrite(node: Schema, change: (schema: Schema) => Schema): Schema {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    return typeof value === "object" && value !== null ? rewrite(value as Schema, change) : value;
  };
  const entries = Object.entries(node).map(([key, value]) => {
    // The names of properties are no keywords.
    const isNamed = key === "properties" && typeof value === "object" && value !== null;
    return [key, isNamed ? mapSchemas(value as Schemas, (_, one) => copy(one) as Schema) : copy(value)];
  });
  return change(Object.fromEntries(entries));
}

/** Returns whether a schema is another one, or refers to it over any number of references. */
function reachability(schemas: Schemas): (from: string, to: string) => boolean {
  const reached = new Map<string, ReadonlySet<string>>();
  return (from, to) => {
    const found = reached.get(from) ?? reachedFrom(schemas, from);
    reached.set(from, found);
    return found.has(to);
  };
}

function reachedFrom(schemas: Schemas, name: string): ReadonlySet<string> {
  const found = new Set([name]);
  // A set also visits what is added meanwhile.
  for (const one of found) for (const reference of referencesIn(schemas[one])) found.add(reference);
  return found;
}

const prefix = "#/components/schemas/";

/** The names of the schemas to which a node refers. */
function referencesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const own = "$ref" in node && typeof node.$ref === "string" && node.$ref.startsWith(prefix) ? [node.$ref] : [];
  const names = own.map((reference) =>
    (reference.slice(prefix.length).split("/")[0] ?? "").replaceAll("~1", "/").replaceAll("~0", "~"),
  );
  return [...names, ...Object.values(node).flatMap(referencesIn)];
}
