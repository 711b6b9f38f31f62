import { type ContractDocument, resolve, type Schema } from "../contract/rest/document.js";
import { type Html, html } from "../report/html/html.js";
import { describeBounds, describeType } from "./describe-schema.js";
import { breakable, join, nothing, richText } from "./fragment.js";
import { anchorOf } from "./page.js";

/** A row of a table of values. */
export interface SchemaRow {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Where the value is sent, in words. */
  readonly place?: string;
  readonly description?: string;
  readonly isDeprecated?: boolean;
}

/** Renders rows, or nothing if there are none. */
export function renderRows(document: ContractDocument, rows: readonly SchemaRow[]): Html {
  if (rows.length === 0) return nothing;
  return html`<table><tbody>${rows.map((row) => renderRow(document, row))}</tbody></table>`;
}

function renderRow(document: ContractDocument, row: SchemaRow): Html {
  const own = resolve<Schema>(document, row.schema);
  const isShared = sharedName(row.schema) !== undefined;
  const flags = [
    ...(row.place === undefined ? [] : [html` <span class="place">${row.place}</span>`]),
    ...(row.isRequired ? [html` <span class="required">required</span>`] : []),
    ...(row.isDeprecated || own.deprecated === true ? [html` <span class="deprecated">deprecated</span>`] : []),
  ];
  const bounds = isShared ? nothing : join(describeBounds(document, row.schema), " ");
  const description = row.description ?? row.schema.description ?? (isShared ? undefined : own.description);
  return html`<tr><th scope="row"><code>${breakable(row.name)}</code></th><td><span class="type">${renderType(document, row.schema)}</span>${flags} ${bounds}${richText(description)}</td></tr>`;
}

/** The type of a value in a few words, with links to the schemas that have a name. */
export function renderType(document: ContractDocument, node: Schema): Html {
  const name = sharedName(node);
  if (name !== undefined) return html`<a href="#${anchorOf("schema", name)}">${name}</a>`;
  const alternatives = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  if (alternatives.length > 0)
    return join(
      alternatives.map((one) => renderType(document, one)),
      " or ",
    );
  if (node.type === "array" && node.items !== undefined) return html`array of ${renderType(document, node.items)}`;
  const parts = (node.allOf ?? []) as Schema[];
  if (node.type === undefined && parts.length > 0)
    return join(
      parts.map((one) => renderType(document, one)),
      " and ",
    );
  return html`${describeType(document, node)}`;
}

/** Lists the members of an object, and those of objects in it that have no name of their own. `outer` are the schemas around it. */
export function listRows(
  document: ContractDocument,
  node: Schema,
  prefix = "",
  outer: readonly Schema[] = [],
): SchemaRow[] {
  if (prefix !== "" && sharedName(node) !== undefined) return [];
  const schema = resolve<Schema>(document, node);
  if (outer.includes(schema)) return [];
  const open = [...outer, schema];
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    return [
      { name, schema: child, isRequired: schema.required?.includes(key) ?? false },
      ...listRows(document, child, name, open),
    ];
  });
  const inner = [schema.allOf ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat() as Schema[];
  const { items, additionalProperties: extra } = schema;
  const below = [
    ...inner.flatMap((part) =>
      listRows(document, part, prefix || " ", open).map((row) => ({ ...row, name: row.name.replace(/^ \./, "") })),
    ),
    ...(items === undefined ? [] : listRows(document, items, `${prefix}[]`, open)),
    ...(typeof extra === "object" ? listRows(document, extra, `${prefix}.*`, open) : []),
  ];
  const names = new Set<string>();
  return [...own, ...below].filter(({ name }) => !names.has(name) && names.add(name));
}

/** The name of a schema of the components that a node refers to. */
function sharedName({ $ref }: Schema): string | undefined {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec($ref ?? "") ?? [];
  return name?.replaceAll("~1", "/").replaceAll("~0", "~");
}
