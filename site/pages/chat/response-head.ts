import type { ContractDocument, ResponseObject, Schema } from "../../../src/contract/chat/document.js";
import { type Html, html } from "../../../src/verify/report/html/html.js";
import { codeValue, join, nothing, richLine, richText } from "../../html/fragment.js";
import { describeType } from "./describe-schema.js";

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
