import { type ContractDocument, resolve, type Schema } from "../../../src/contract/chat/document.js";
import { levelOf } from "../../../src/contract/chat/feature-level.js";
import { html } from "../../../src/verify/report/html/html.js";
import { breakable, nothing, richLine, richText } from "../../html/fragment.js";
import type { Piece } from "../../levels/levelled.js";
import { describeBounds, describeType, listFields } from "./describe-schema.js";
import { levelNotes } from "./level-notes.js";

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
    const levels = levelOf(document, alternative);
    const notes = levelNotes(levels, level);
    return {
      ...(levels === undefined ? {} : { levels }),
      key: typeof named === "string" ? named : "other",
      content: html`<th scope="row">${name}</th><td>${richText(error.description)}${list}${notes.length === 0 ? "" : html`<p class="notes">${notes}</p>`}</td>`,
    };
  });
}
