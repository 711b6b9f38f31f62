import { tabledOperations } from "../../model/judge-operations.js";
import { describeNeed } from "../../model/list-needs.js";
import { operationStates } from "../../model/verdict.js";
import { countsOf, describeBeyond, listReasons } from "../format-operations.js";
import { type Html, html, withCode } from "./html.js";
import type { PageModel } from "./page-model.js";
import { renderText } from "./render-parts.js";

/** Renders the table of operations. Undefined without any. */
export function renderOperations({ report, rows }: PageModel): Html | undefined {
  const operations = tabledOperations(report);
  if (operations.length === 0) return undefined;
  const anchors = new Map(rows.map(({ name, anchor }) => [name, anchor]));
  const lines = operations.map((operation) => {
    const { id, title, state } = operation;
    const anchor = anchors.get(id);
    const name = anchor === undefined ? html`${id}` : html`<a href="#${anchor}">${id}</a>`;
    const counts = countsOf(operation).map((cell) => html`<td>${cell}</td>`);
    return html`<tr><th scope="row">${name} <small>${title}</small></th><td><span class="badge ${state}">${operationStates[state]}</span></td>${counts}</tr>
`;
  });
  const heads = ["State", "Kept", "Exercised", "Rules"].map((head) => html`<th scope="col">${head}</th>`);
  return html`<section id="operations" aria-labelledby="operations-title">
<h2 id="operations-title">Operations</h2>
<table class="operations"><thead><tr><th scope="col">Operation</th>${heads}</tr></thead><tbody>${lines}</tbody></table>
${listReasons(operations).map((line) => html`<p class="why">${line}</p>`)}
</section>`;
}

/** Renders what skipped checks need, and what `--operation` does not select. Undefined without either. */
export function renderNeeds({ report }: PageModel): Html | undefined {
  const { needs = [] } = report;
  const beyond = describeBeyond(report);
  if (needs.length === 0 && beyond === undefined) return undefined;
  const items = needs.map((need) => {
    const line = withCode(describeNeed(need));
    if (need.help === undefined) return html`<li>${line}</li>`;
    return html`<li><details class="earlier"><summary>${line}</summary>${renderText(need.help, "What a setup returns")}</details></li>`;
  });
  return html`<section id="next" aria-labelledby="next-title">
<h2 id="next-title">What to do next</h2>
<ul>${items}</ul>
${beyond && html`<p class="why">${beyond}</p>`}
</section>`;
}
