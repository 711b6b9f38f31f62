import type { CheckKind } from "../../check.js";
import { formatDuration, pluralize } from "../format-values.js";
import { groupBy } from "../group-by.js";
import { hasOutcome, verdictNames, verdicts } from "../verdict.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageModel, PageRow } from "./page-model.js";
import { isDescribed } from "./render-card.js";
import { renderCell, renderVerdict } from "./render-parts.js";

/** Renders every check by operation. Checks with a card link to it. */
export function renderChecks(model: PageModel): Html {
  if (model.rows.length === 0) return html``;
  return html`<section id="checks" aria-labelledby="checks-title" data-group>
<h2 id="checks-title">Checks</h2>
${model.rows.map((row) => renderGroup(row, model))}
</section>`;
}

function renderGroup({ name, anchor, isWorkflow, checks }: PageRow, model: PageModel): Html {
  const counts = verdicts
    .map((verdict) => ({ verdict, count: checks.filter((check) => check.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => html`<span class="count ${verdict}">${count} ${verdictNames[verdict]}</span>`);
  const title = isWorkflow ? html`${name} <small>${pluralize(checks.length, "workflow")}</small>` : html`${name}`;
  return html`<details class="group" id="${anchor}" data-group>
<summary><h3>${title}</h3><span class="counts">${counts}</span></summary>
<ul class="checks">${checks.map((check) => renderLine(check, model))}</ul>
</details>
`;
}

function renderLine(pageCheck: PageCheck, { ruleOf }: PageModel): Html {
  const { check, verdict, anchor, index } = pageCheck;
  const described = isDescribed(pageCheck);
  const name = described ? html`<a href="#${anchor}"><code>${check.id}</code></a>` : html`<code>${check.id}</code>`;
  const rules = check.rules.map((id) => {
    const rule = ruleOf(id);
    return rule === undefined ? html` <code>${id}</code>` : html` <a href="#${rule.anchor}"><code>${id}</code></a>`;
  });
  const place = described ? undefined : html` id="${anchor}" tabindex="-1"`;
  return html`<li${place} data-check="${index}">${renderVerdict(verdict)}<div><p class="id">${name}</p><p>${withCode(check.summary)}</p>${
    hasOutcome(check, "skipped") ? html`<p class="why">${check.outcome.reason}</p>` : undefined
  }${rules.length === 0 ? undefined : html`<p class="why">${rules}</p>`}</div><small>${formatDuration(check.durationMs)}</small></li>
`;
}

/** Renders every check as a small square, with a row for each operation. */
export function renderMap({ rows, report }: PageModel): Html {
  const order = report.coverage === undefined ? "cases before probes" : "requests before responses";
  const body = (title: string, of: readonly PageRow[]) =>
    of.length === 0
      ? html``
      : html`<tbody data-group><tr class="title"><th colspan="2" scope="rowgroup">${title}</th></tr>${of.map(renderRow)}</tbody>`;
  return html`<section id="map" aria-labelledby="map-title" data-group>
<h2 id="map-title">Map</h2>
<p class="hint">One square per check, ${order}. Each links to its check.</p>
<table class="map">${body(
    "Operations",
    rows.filter(({ isWorkflow }) => !isWorkflow),
  )}${body(
    "Workflows",
    rows.filter(({ isWorkflow }) => isWorkflow),
  )}</table>
<p class="status" id="map-status" aria-hidden="true" hidden></p>
</section>`;
}

function renderRow({ name, anchor, checks }: PageRow): Html {
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const count = passed === checks.length ? pluralize(passed, "check") : `${passed} of ${checks.length} passed`;
  const cells = [...groupBy(checks, ({ check }): CheckKind => check.kind).values()].map(
    (ofKind) => html`<span class="kind">${ofKind.map((check) => renderCell(check, true))}</span>`,
  );
  return html`<tr data-group><th scope="row"><a href="#${anchor}">${name}</a> <small>${count}</small></th><td class="cells">${cells}</td></tr>`;
}
