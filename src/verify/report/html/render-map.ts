import type { CheckKind } from "../../check.js";
import { countOf } from "../count-of.js";
import { groupBy } from "../group-by.js";
import { type Html, html } from "./html.js";
import type { PageModel, PageRow } from "./page-model.js";
import { renderCell } from "./render-parts.js";

/** Every check as a small square, a row for each operation. */
export function renderMap({ rows }: PageModel): Html {
  const body = (title: string, of: readonly PageRow[]) =>
    of.length === 0
      ? html``
      : html`<tbody data-group><tr class="title"><th colspan="2" scope="rowgroup">${title}</th></tr>${of.map(renderRow)}</tbody>`;
  return html`<section id="map" aria-labelledby="map-title" data-group>
<h2 id="map-title">Map</h2>
<p class="hint">One square for each check: of an operation its cases, then its probes. Each leads to its check.</p>
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
  const count = passed === checks.length ? countOf(passed, "check") : `${passed} of ${checks.length} passed`;
  const cells = [...groupBy(checks, ({ check }): CheckKind => check.kind).values()].map(
    (ofKind) => html`<span class="kind">${ofKind.map((check) => renderCell(check, true))}</span>`,
  );
  return html`<tr data-group><th scope="row"><a href="#${anchor}">${name}</a> <small>${count}</small></th><td class="cells">${cells}</td></tr>`;
}
