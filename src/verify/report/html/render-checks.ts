import { formatDuration, pluralize } from "../../../text/format-values.js";
import { groupBy } from "../../../text/group-by.js";
import { tallyVerdicts } from "../../model/verdict.js";
import { type Html, html, withCode } from "./html.js";
import { hasCard, type PageCheck, type PageModel, type PageRow, type PageRule } from "./page-model.js";
import { renderBadge, renderCell, renderCounts } from "./render-parts.js";

/** Renders every check by operation. Checks with a card link to it. */
export function renderChecks({ rows, rules }: PageModel): Html | undefined {
  if (rows.length === 0) return undefined;
  const groups = rows.map(({ name, anchor, isWorkflow, checks }) => {
    const count = isWorkflow ? html` <small>${pluralize(checks.length, "workflow")}</small>` : undefined;
    return html`<details class="group" id="${anchor}" data-group>
<summary><h3>${name}${count}</h3><span class="counts">${renderCounts(tallyVerdicts(checks))}</span></summary>
<ul class="checks">${checks.map((check) => renderLine(check, rules))}</ul>
</details>
`;
  });
  return html`<section id="checks" aria-labelledby="checks-title" data-group>
<h2 id="checks-title">Checks</h2>
${groups}
</section>`;
}

/** Renders a check in a line, with the data that the script filters by. */
function renderLine(check: PageCheck, rules: PageModel["rules"]): Html {
  const { id, kind, verdict, summary, anchor, index, reason, problems = [], broken = [] } = check;
  const isDescribed = hasCard(check);
  const name = isDescribed ? html`<a href="#${anchor}"><code>${id}</code></a>` : html`<code>${id}</code>`;
  const place = isDescribed ? undefined : html` id="${anchor}" tabindex="-1"`;
  const why = isDescribed ? undefined : (problems[0] ?? (verdict === "skipped" ? reason : undefined));
  const links = check.rules.map((rule) => html` ${renderRuleLink(rule, rules.get(rule))}`);
  const concerned = [...new Set([...check.rules, ...broken])].flatMap((rule) => rules.get(rule)?.index ?? []);
  return html`<li${place} data-check="${index}" data-verdict="${verdict}" data-kind="${kind}" data-rules="${concerned.join(" ")}">${renderBadge(verdict)}<div><p class="id">${name}</p><p>${withCode(summary)}</p>${why && html`<p class="why">${why}</p>`}${
    links.length === 0 ? undefined : html`<p class="links">${links}</p>`
  }</div><small>${formatDuration(check.durationMs)}</small></li>
`;
}

/** Renders the id of a rule, which links to the rule if it is on the page. */
export function renderRuleLink(id: string, rule: PageRule | undefined): Html {
  return rule === undefined ? html`<code>${id}</code>` : html`<a href="#${rule.anchor}"><code>${id}</code></a>`;
}

/** Renders every check as a small square, with a row for each operation. */
export function renderMap({ rows, report }: PageModel): Html {
  const order = report.coverage === undefined ? "cases before probes" : "requests before responses";
  const bodies = [...groupBy(rows, ({ isWorkflow }) => (isWorkflow ? "Workflows" : "Operations"))].map(
    ([title, of]) =>
      html`<tbody data-group><tr class="title"><th colspan="2" scope="rowgroup">${title}</th></tr>${of.map(renderRow)}</tbody>`,
  );
  return html`<section id="map" aria-labelledby="map-title" data-group>
<h2 id="map-title">Map</h2>
<p class="hint">One square per check, ${order}. Each links to its check.</p>
<table class="map">${bodies}</table>
<p class="status" id="map-status" aria-hidden="true" hidden></p>
</section>`;
}

function renderRow({ name, anchor, checks }: PageRow): Html {
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const count = passed === checks.length ? pluralize(passed, "check") : `${passed} of ${checks.length} passed`;
  const cells = [...groupBy(checks, ({ kind }) => kind).values()].map(
    (ofKind) => html`<span class="kind">${ofKind.map((check) => renderCell(check, true))}</span>`,
  );
  return html`<tr data-group><th scope="row"><a href="#${anchor}">${name}</a> <small>${count}</small></th><td class="cells">${cells}</td></tr>`;
}
