import { type ContractDocument, resolve, type Schema } from "../document.js";

/** A schema and the document that its references lead into. */
export interface PlacedSchema {
  readonly document: ContractDocument;
  readonly schema: Schema;
}

/** A copy of a value without the properties that the schema had and no longer has. Properties that neither names stay. */
export function withoutLostProperties(value: unknown, had: PlacedSchema, has: PlacedSchema): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withoutLostProperties(item, itemsOf(had), itemsOf(has)));
  }
  if (typeof value !== "object" || value === null) return value;
  const [before, now] = [propertiesOf(had), propertiesOf(has)];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const [old, current] = [before.get(name), now.get(name)];
      if (old === undefined) return [[name, inner]];
      return current === undefined
        ? []
        : [[name, withoutLostProperties(inner, { ...had, schema: old }, { ...has, schema: current })]];
    }),
  );
}

/** The properties of an object schema, those of all its alternatives together. */
function propertiesOf({ document, schema }: PlacedSchema): Map<string, Schema> {
  const { properties = {}, anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  const found = new Map(Object.entries(properties));
  for (const alternative of [...anyOf, ...oneOf]) {
    for (const [name, property] of propertiesOf({ document, schema: alternative }))
      found.set(name, found.get(name) ?? property);
  }
  return found;
}

function itemsOf({ document, schema }: PlacedSchema): PlacedSchema {
  const { items, anyOf = [], oneOf = [] } = resolve<Schema>(document, schema);
  if (items !== undefined) return { document, schema: items };
  const alternatives = [...anyOf, ...oneOf].map((alternative) => itemsOf({ document, schema: alternative }).schema);
  return { document, schema: alternatives.length === 0 ? {} : { anyOf: alternatives } };
}
