import type { CheckKind } from "../../check.js";
import { countVerdicts, verdictNames, verdicts } from "../verdict.js";
import { type Html, html } from "./html.js";
import type { PageModel } from "./page-model.js";

const kinds: Readonly<Record<CheckKind, string>> = {
  case: "cases",
  workflow: "workflows",
  probe: "probes",
  request: "requests",
  response: "responses",
};

/** Renders the search field and the filters. They need scripts, so they stay hidden until the scripts run. */
export function renderToolbar({ report }: PageModel): Html {
  const counts = countVerdicts(report);
  const ofVerdicts = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => renderChip("verdict", verdict, verdictNames[verdict], counts[verdict]));
  const ofKinds = (Object.keys(kinds) as CheckKind[])
    .map((kind) => ({ kind, count: report.checks.filter((check) => check.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => renderChip("kind", kind, kinds[kind], count));
  return html`<form class="toolbar" id="toolbar" role="search" hidden>
<div class="search"><label for="search" class="aside">Search rules and checks</label><input id="search" type="search" placeholder="Search rules and checks" autocomplete="off" spellcheck="false"></div>
<div class="found"><output id="found" for="search"></output> <button type="button" id="reset" hidden>Show all</button></div>
<div class="chips" role="group" aria-label="Outcome">${ofVerdicts}</div>
<div class="chips" role="group" aria-label="Kind of check">${ofKinds}</div>
</form>`;
}

/** Renders a toggle of a filter. */
export function renderChip(filter: string, value: string, name: string, count: number): Html {
  return html`<button type="button" class="chip" data-filter="${filter}" data-value="${value}" aria-pressed="false"><span class="cell ${value}"></span>${name} <b>${count.toLocaleString("en-US")}</b></button>`;
}
