import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../src/contract/chat/document.js";
import { levelOf } from "../../src/contract/chat/feature-level.js";
import { type Html, html } from "../../src/verify/report/html/html.js";
import { codeValue, join, nothing, richLine, richText } from "../html/fragment.js";
import { heading } from "../html/section.js";
import { levelAttributes, mergeLevels, type Piece, rangesOf, renderPieces } from "../levels/levelled.js";
import { describeBounds, describeType, listFields } from "./describe-schema.js";
import { levelNotes } from "./level-notes.js";
import { responseRows } from "./operation-fields.js";
import type { OperationAt } from "./operation-page.js";
import type { SiteSource } from "./site-source.js";

/** The responses of an operation: the fields of a success, the codes of errors with their own fields, and headers. */
export function responseSection({ views }: SiteSource, at: OperationAt): Html {
  const statuses = [...new Set(views.levels.flatMap((level) => Object.keys(at(level)?.responses ?? {})))].sort();
  const parts = statuses.map((status) => {
    const heads = mergeLevels(views, (level) => {
      const response = responseAt(views.at(level), at(level), status);
      return response === undefined ? [] : [{ key: "head", content: head(views.at(level), response) }];
    });
    const rows = mergeLevels(views, (level) => {
      const document = views.at(level);
      const response = responseAt(document, at(level), status);
      const schema = response && Object.values(response.content ?? {})[0]?.schema;
      if (schema === undefined) return [];
      return isError(status) ? errorRows(document, schema, level) : responseRows(document, schema, level);
    });
    const idOf = (key: string) => (isError(status) ? `code-${status}-${key}` : `field-${key}`);
    const table =
      rows.length === 0
        ? nothing
        : html`<table class="fields"><tbody>${renderPieces(views, rows, { tag: "tr", idOf })}</tbody></table>`;
    return html`<section class="response"${levelAttributes(views, rangesOf(views, heads))}>
${heading("h3", `response-${status}`, isError(status) && status === "default" ? "Any other status" : status)}
${renderPieces(views, heads, { tag: "div" })}${table}</section>`;
  });
  return html`<section>${heading("h2", "responses", "Responses")}${parts}</section>`;
}

function isError(status: string): boolean {
  return !status.startsWith("2");
}

function responseAt(document: ContractDocument, operation: OperationObject | undefined, status: string) {
  const given = operation?.responses[status];
  return given === undefined ? undefined : resolve<ResponseObject>(document, given);
}

interface HeaderObject {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

function head(document: ContractDocument, { description, headers = {}, content = {} }: ResponseObject): Html {
  const rows = Object.entries(headers as Record<string, HeaderObject>).map(([name, header]) => {
    const type = header.schema === undefined ? "" : describeType(document, header.schema);
    const required = header.required ? html`<span class="required">always</span>` : "";
    return html`<tr><th scope="row"><code>${name}</code></th><td><span class="type">${type}</span> <span class="place">header</span> ${required}${richText(header.description)}</td></tr>`;
  });
  const table = rows.length === 0 ? nothing : html`<table class="fields"><tbody>${rows}</tbody></table>`;
  const types = join(Object.keys(content).map(codeValue), ", ");
  return html`<p>${richLine(description)} <span class="media">${types}</span></p>${table}`;
}

/** The codes of an error response. A code has a row with its own fields: those that not all errors have. */
function errorRows(document: ContractDocument, node: Schema, level: number): Piece[] {
  const schema = resolve<Schema>(document, node);
  const alternatives = schema.anyOf ?? schema.oneOf ?? [node];
  return alternatives.map((alternative) => {
    const error = resolve<Schema>(document, alternative);
    const code = error.properties?.code;
    const named = code === undefined ? undefined : resolve<Schema>(document, code).const;
    const name = typeof named === "string" ? html`<code>${named}</code>` : html`other codes`;
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
