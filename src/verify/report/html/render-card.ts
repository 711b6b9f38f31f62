import type { Check, Exchange } from "../../check.js";
import { pluralize, rerunOptions } from "../format-values.js";
import { brokenRules, describeStale } from "../judge-rules.js";
import { hasProblems } from "../verdict.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageModel } from "./page-model.js";
import { type HeadingLevel, renderCommand, renderHeading, renderVerdict } from "./render-parts.js";

/** The place of a card in its group. */
export interface CardPlace {
  readonly level: HeadingLevel;
  readonly open: boolean;
  /** The rule of the group, whose text is shown above the card. */
  readonly rule?: string | undefined;
}

/** Whether a check has a card. */
export function isDescribed({ verdict }: PageCheck): boolean {
  return verdict !== "passed" && verdict !== "skipped";
}

/** Renders all details of a check that neither passed nor was skipped. */
export function renderCard({ check, verdict, anchor, index }: PageCheck, model: PageModel, place: CardPlace): Html {
  const { report } = model;
  const first = firstProblem(check);
  const reason = report.knownFailing.get(check.id);
  const again = rerunOptions(check.id, report);
  const heading = renderHeading(place.level, html`${renderVerdict(verdict)} <code>${check.id}</code>`);
  // No tabindex here: with it, the tab key skips everything inside in Chromium.
  return html`<details class="card ${verdict}" id="${anchor}" data-check="${index}"${place.open ? html` open` : undefined}>
<summary>${heading}<span class="summary">${withCode(check.summary)}</span>${first === undefined ? undefined : html`<span class="first">${withCode(first)}</span>`}</summary>
<div class="body">
${renderRules(check, model, place.rule)}
${reason === undefined ? undefined : html`<p class="reason">Known to fail: ${reason}</p>`}
${renderOutcome(check)}
${report.coverage === undefined ? html`<div class="again"><p class="label">Run it again with</p>${renderCommand(again, "Options that run the check again")}</div>` : undefined}
</div>
</details>
`;
}

/** The problem that a folded card shows. */
export function firstProblem(check: Check): string | undefined {
  if (check.outcome.kind === "errored") return check.outcome.reason;
  return hasProblems(check) ? check.outcome.problems[0] : undefined;
}

/** The rules that the check broke or can show, without the one above the card. */
function renderRules(check: Check, { ruleOf }: PageModel, above: string | undefined): Html | undefined {
  const ids = hasProblems(check) ? brokenRules(check) : check.rules;
  const items = ids
    .filter((id) => id !== above)
    .map((id) => {
      const rule = ruleOf(id);
      if (rule === undefined) return html`<li><code>${id}</code></li>`;
      return html`<li><a href="#${rule.anchor}"><code>${id}</code></a> <span>${withCode(rule.text)}</span></li>`;
    });
  if (items.length === 0) return undefined;
  const also = above === undefined ? undefined : html`<p class="label">Also breaks</p>`;
  return html`<div class="ofcheck">${also}<ul>${items}</ul></div>`;
}

function renderOutcome({ outcome }: Check): Html {
  switch (outcome.kind) {
    case "failed":
    case "deviated":
      return html`<ul class="problems">${outcome.problems.map((problem) => html`<li>${withCode(problem)}</li>`)}</ul>${renderTrace(outcome.trace)}`;
    case "errored": {
      const help = outcome.help === undefined ? undefined : html`<p class="help">${withCode(outcome.help)}</p>`;
      return html`<ul class="problems"><li>${withCode(outcome.reason)}</li></ul>${help}${renderTrace(outcome.trace)}`;
    }
    case "passed":
      return html`<p>${describeStale("passes")}</p>`;
    case "skipped":
      return html`<p>${outcome.reason}</p>`;
  }
}

/** The calls of a check: the last, and the earlier ones folded. */
function renderTrace(trace: readonly Exchange[]): Html {
  const last = trace.at(-1);
  if (last === undefined) return html``;
  const before = trace.slice(0, -1);
  const earlier = html`<details class="earlier"><summary>${pluralize(before.length, "call")} before</summary>${before.map(renderExchange)}</details>`;
  return html`${before.length === 0 ? undefined : earlier}${renderExchange(last)}`;
}

function renderExchange({ command, request, response }: Exchange): Html {
  const answer = response === undefined ? html`<p class="none">No answer.</p>` : renderText(response, "Response");
  return html`<div class="exchange">${renderCommand(command, "Command")}
<div class="sides"><div><p class="label">Request</p>${renderText(request, "Request")}</div><div><p class="label">Response</p>${answer}</div></div></div>`;
}

function renderText(text: string, label: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}
