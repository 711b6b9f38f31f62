import { nothing } from "../../../src/docs/fragment.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { heading } from "../../html/section.js";
import { levelAttributes, rangesOf, renderPieces } from "../../levels/levelled.js";
import type { OperationParts, ResponseParts } from "../../parts/operation-parts.js";
import type { SiteSource } from "../site-source.js";

/** Renders the responses of an operation: fields of successes, codes of errors, and headers. */
export function responseSection({ views }: SiteSource, { responses }: OperationParts): Html {
  const parts = responses.map((response) => {
    const { status, head, rows } = response;
    const elements = renderPieces(views, rows, { tag: "tr", idOf: (key) => responseRowId(response, key) });
    const table = rows.length === 0 ? nothing : html`<table class="fields"><tbody>${elements}</tbody></table>`;
    return html`<section class="response"${levelAttributes(views, rangesOf(views, head))}>
${heading("h3", `response-${status}`, status === "default" ? "Any other status" : status)}
${renderPieces(views, head, { tag: "div" })}${table}</section>`;
  });
  return html`<section>${heading("h2", "responses", "Responses")}${parts}</section>`;
}

/** The id of the row of a field or code of a response. */
export function responseRowId({ isError, status }: Pick<ResponseParts, "isError" | "status">, key: string): string {
  return isError ? `code-${status}-${key}` : `field-${key}`;
}
