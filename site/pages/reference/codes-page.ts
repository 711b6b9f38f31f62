import { rawBlock } from "../../../src/docs/fragment.js";
import { html } from "../../../src/report/html/html.js";
import type { LevelledPiece } from "../../levels/levelled.js";
import { levelAttributes, rangesOf, renderPieces } from "../../levels/levelled.js";
import { responseRowId } from "../chat/operation-responses.js";
import { operationPage, type SiteSource } from "../site-source.js";

/** An error code of the contract and the operations that return it. */
interface ErrorCode {
  readonly code: string;
  readonly piece: LevelledPiece;
  readonly uses: readonly { readonly operationId: string; readonly status: string; readonly piece: LevelledPiece }[];
}

/** The error codes that the contract names, in alphabetical order. */
function listErrorCodes({ operations }: SiteSource): ErrorCode[] {
  const uses = operations.flatMap(({ operation: { operationId }, responses }) =>
    responses
      .filter(({ isError }) => isError)
      .flatMap(({ status, rows }) => rows.map((piece) => ({ operationId, status, piece }))),
  );
  const codes = [...new Set(uses.map(({ piece }) => piece.key))].filter((code) => code !== "other").sort();
  return codes.flatMap((code) => {
    const own = uses.filter(({ piece }) => piece.key === code);
    const [first] = own;
    return first === undefined ? [] : [{ code, piece: first.piece, uses: own }];
  });
}

/** The Markdown of the page of the error codes. */
export function writeCodesPage(source: SiteSource): string {
  const { views } = source;
  const parts = listErrorCodes(source).map(({ code, piece, uses }) => {
    const links = uses.map(({ operationId, status, piece: use }) => {
      const id = responseRowId({ isError: true, status }, code);
      return html`<a class="check"${levelAttributes(views, rangesOf(views, [use]))} href="${operationPage(operationId)}#${id}"><span>${status}</span> ${operationId}</a> `;
    });
    const pieces = uses.map((use) => use.piece);
    return html`<section id="code-${code}"${levelAttributes(views, rangesOf(views, pieces))}><table class="fields"><tbody>${renderPieces(views, [piece], { tag: "tr" })}</tbody></table><div class="rule-checks">Returned by ${links}</div></section>`;
  });
  return `---
title: Error codes
levels: true
---

# Error codes

${rawBlock(html`<p>An error has <code>result</code>, <code>msg</code> and <code>code</code>, and the extra fields of its code. The set of codes is open: a server may return others.</p>${parts}`)}`;
}
