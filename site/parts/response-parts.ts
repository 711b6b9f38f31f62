import { type ContractDocument, type ResponseObject, resolve, type Schema } from "../../src/contract/rest/document.js";
import { levelOf } from "../../src/contract/rest/feature-level.js";
import { describeBounds, describeType, listFields } from "../../src/docs/describe-schema.js";
import { breakable, codeValue, join, nothing, richLine, richText } from "../../src/docs/fragment.js";
import { type Html, html } from "../../src/report/html/html.js";
import { levelNotes } from "../levels/level-notes.js";
import type { Piece } from "../levels/levelled.js";

interface HeaderObject {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** Describes a response as a whole: its meaning, its media type and its headers. */
export function responseHead(
  document: ContractDocument,
  { description, headers = {}, content = {} }: ResponseObject,
): Html {
  const rows = Object.entries(headers as Record<string, HeaderObject>).map(([name, header]) => {
    const type = header.schema === undefined ? "" : describeType(document, header.schema);
    const required = header.required ? html`<span class="required">always</span>` : "";
    return html`<tr><th scope="row"><code>${name}</code></th><td><span class="type">${type}</span> <span class="place">header</span> ${required}${richText(header.description)}</td></tr>`;
  });
  const table = rows.length === 0 ? nothing : html`<table class="fields"><tbody>${rows}</tbody></table>`;
  const types = join(Object.keys(content).map(codeValue), ", ");
  return html`<p>${richLine(description)} <span class="media">${types}</span></p>${table}`;
}

/** The codes of an error response. The row of a code lists the fields that only it has. */
export function errorRows(document: ContractDocument, node: Schema, level: number): Piece[] {
  const schema = resolve<Schema>(document, node);
  const alternatives = schema.anyOf ?? schema.oneOf ?? [node];
  return alternatives.map((alternative) => {
    const error = resolve<Schema>(document, alternative);
    const code = error.properties?.code;
    const named = code === undefined ? undefined : resolve<Schema>(document, code).const;
    const name = typeof named === "string" ? html`<code>${breakable(named)}</code>` : html`other codes`;
    const own = listFields(document, error).filter(({ path }) => !/^(result|msg|code)\b/.test(path));
    const fields = own.map(({ path, node: field, schema: shape }) => {
      const text = field.description ?? shape.description;
      return html`<li><code>${path}</code> <span class="type">${describeType(document, field)}</span> ${describeBounds(document, field)} ${richLine(text)} ${levelNotes(levelOf(document, field), level)}</li>`;
    });
    const list = fields.length === 0 ? nothing : html`<ul class="code-fields">${fields}</ul>`;
    const notes = levelNotes(levelOf(document, alternative), level);
    return {
      key: typeof named === "string" ? named : "other",
      content: html`<th scope="row">${name}</th><td>${richText(error.description)}${list}${notes.length === 0 ? "" : html`<p class="notes">${notes}</p>`}</td>`,
    };
  });
}
