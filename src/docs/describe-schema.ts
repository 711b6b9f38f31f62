import { type ContractDocument, resolve, type Schema } from "../contract/rest/document.js";
import { type Html, html } from "../report/html/html.js";
import { codeValue, join } from "./fragment.js";

/** A field of an object, at any depth. */
export interface Field {
  /** The path to it, such as `messages[].id`. */
  readonly path: string;
  /** The node in the parent, which may reference a schema and have levels of its own. */
  readonly node: Schema;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Lists the fields of an object schema, each followed by the fields of the objects in it. */
export function listFields(
  document: ContractDocument,
  node: Schema,
  prefix = "",
  above: readonly Schema[] = [],
): Field[] {
  const schema = resolve<Schema>(document, node);
  if (above.includes(schema)) return [];
  const inside = [...above, schema];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const field = {
      path,
      node: child,
      schema: resolve<Schema>(document, child),
      required: schema.required?.includes(name) ?? false,
    };
    return [field, ...listFields(document, child, path, inside)];
  });
  const extra = schema.additionalProperties;
  const values = typeof extra === "object" ? listFields(document, extra, `${prefix}.*`, inside) : [];
  const items = schema.items === undefined ? [] : listFields(document, schema.items, `${prefix}[]`, inside);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((alternative) =>
    listFields(document, alternative, prefix, inside),
  );
  return withoutRepetition([...own, ...values, ...items, ...alternatives]);
}

function withoutRepetition(fields: readonly Field[]): Field[] {
  const paths = new Set<string>();
  return fields.filter(({ path }) => !paths.has(path) && paths.add(path));
}

/** The type of a value in a few words, such as `array of integer`. */
export function describeType(document: ContractDocument, node: Schema): string {
  const schema = resolve<Schema>(document, node);
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((one) => describeType(document, one)))].join(" or ");
  }
  const types = [schema.type ?? []].flat();
  const names = types.map((type) => {
    if (type === "array") return `array of ${describeType(document, schema.items ?? {})}`;
    const isMap =
      type === "object" && typeof schema.additionalProperties === "object" && schema.properties === undefined;
    return isMap ? `map of ${describeType(document, schema.additionalProperties as Schema)}` : type;
  });
  return names.length === 0 ? "any" : names.join(" or ");
}

const bounds: Readonly<Record<string, string>> = {
  format: "format",
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "above",
  exclusiveMaximum: "below",
  minLength: "min. length",
  maxLength: "max. length",
  minItems: "min. entries",
  maxItems: "max. entries",
  pattern: "pattern",
};

/** The bounds, values and defaults of a schema, each with a label. */
export function describeBounds(document: ContractDocument, node: Schema): Html[] {
  const schema = resolve<Schema>(document, node);
  const labelled = Object.entries(bounds).flatMap(([keyword, label]) =>
    schema[keyword] === undefined ? [] : html`<span class="bound">${label} ${codeValue(schema[keyword])}</span>`,
  );
  const items = schema.items === undefined ? undefined : resolve<Schema>(document, schema.items);
  const values = schema.enum ?? items?.enum;
  return [
    ...labelled,
    ...(values === undefined ? [] : [html`<span class="bound">one of ${join(values.map(codeValue), ", ")}</span>`]),
    ...(schema.default === undefined ? [] : [html`<span class="bound">default ${codeValue(schema.default)}</span>`]),
  ];
}
