import { pluralize } from "../../../text/format-values.js";
import { describeReactions, describeRefusals } from "../format-coverage.js";
import { type Html, html } from "./html.js";
import type { PageModel } from "./page-model.js";

/** Renders what the traffic of a client has shown. Undefined for the verification of a server. */
export function renderCoverage({ report: { coverage } }: PageModel): Html | undefined {
  if (coverage === undefined) return undefined;
  const { exchanges, sections, notJudged, refusals = [], provoked } = coverage;
  const groups = sections.map(({ title, items }) => {
    const shown = items.filter(({ count }) => count > 0).length;
    const rows = items.map(({ name, operation, count }) => {
      const often = count === 0 ? "never shown" : pluralize(count, "exchange");
      return html`<li><code>${operation === undefined ? name : `${operation} ${name}`}</code><small>${often}</small></li>`;
    });
    return html`<details class="group"><summary><h3>${title}</h3><span class="counts"><span class="count kept">${shown} shown</span><span class="count not-exercised">${items.length - shown} never shown</span></span></summary>
<ul class="coverage">${rows}</ul></details>
`;
  });
  const notes = [
    notJudged.map(({ reason, count }) => html`<li>${pluralize(count, "exchange")} not judged: ${reason}</li>`),
    refusals.map((one) => html`<li>${describeRefusals(one)}</li>`),
    provoked.map((one) => html`<li>Provoked <code>${one.name}</code> ${describeReactions(one)}.</li>`),
  ];
  return html`<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<p class="hint">${pluralize(exchanges, "exchange")}.</p>
${notes.flatMap((items) => (items.length === 0 ? [] : html`<ul>${items}</ul>`))}
${groups}
</section>`;
}
