import { pluralize, rerunOptions } from "../../../text/format-values.js";
import type { Exchange } from "../../model/check-result.js";
import { describeStale } from "../../model/judge-rules.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageModel } from "./page-model.js";
import { renderRuleLink } from "./render-checks.js";
import { renderBadge, renderCommand, renderText } from "./render-parts.js";

/** The place of a card in its group. */
export interface CardPlace {
  readonly headingLevel: 4 | 5;
  readonly open: boolean;
  /** The id of the rule of the group, whose text is shown above the card. */
  readonly rule: string | undefined;
}

/** Renders all details of a check that neither passed nor was skipped. */
export function renderCard(check: PageCheck, model: PageModel, { headingLevel, open, rule }: CardPlace): Html {
  const { id, verdict, anchor, index, summary, knownFailing, help, trace = [] } = check;
  const problems = problemsOf(check).map((problem) => html`<li>${withCode(problem)}</li>`);
  const again = renderCommand(rerunOptions(id, model.report), "Options that run the check again");
  const heading: Html = { markup: `h${headingLevel}` };
  // No tabindex here: with it, the tab key skips everything inside in Chromium.
  return html`<details class="card ${verdict}" id="${anchor}" data-check="${index}"${open ? html` open` : undefined}>
<summary><${heading}>${renderBadge(verdict)} <code>${id}</code></${heading}><span class="summary">${withCode(summary)}</span>${renderFirst(check)}</summary>
<div class="body">
${renderRules(check, model, rule)}
${knownFailing && html`<p class="reason">Known to fail: ${knownFailing}</p>`}
${verdict === "stale" ? html`<p>${describeStale("passes")}</p>` : html`<ul class="problems">${problems}</ul>`}
${help && html`<p class="help">${withCode(help)}</p>`}
${renderTrace(trace)}
${model.report.coverage === undefined ? html`<div class="again"><p class="label">Run it again with</p>${again}</div>` : undefined}
</div>
</details>
`;
}

function problemsOf({ verdict, problems = [], reason = "" }: PageCheck): readonly string[] {
  return verdict === "errored" ? [reason] : problems;
}

/** Renders the first problem, which a folded card or group shows. */
export function renderFirst(check: PageCheck): Html | undefined {
  const [first] = problemsOf(check);
  return first === undefined ? undefined : html`<span class="first">${withCode(first)}</span>`;
}

/** The rules that the check broke or can show, without the one above the card. */
function renderRules(
  { broken, rules: shown }: PageCheck,
  { rules }: PageModel,
  above: string | undefined,
): Html | undefined {
  const items = (broken ?? shown)
    .filter((id) => id !== above)
    .map((id) => {
      const rule = rules.get(id);
      return html`<li>${renderRuleLink(id, rule)}${rule && html` <span>${withCode(rule.text)}</span>`}</li>`;
    });
  const also = above === undefined ? undefined : html`<p class="label">Also breaks</p>`;
  return items.length === 0 ? undefined : html`<div class="ofcheck">${also}<ul>${items}</ul></div>`;
}

/** The calls of a check: the last, and the earlier ones folded. */
function renderTrace(trace: readonly Exchange[]): Html {
  const before = trace.slice(0, -1);
  const earlier = html`<details class="earlier"><summary>${pluralize(before.length, "call")} before</summary>${before.map(renderExchange)}</details>`;
  return html`${before.length === 0 ? undefined : earlier}${trace.slice(-1).map(renderExchange)}`;
}

function renderExchange({ command, request, response }: Exchange): Html {
  const answer = response === undefined ? html`<p class="none">No answer.</p>` : renderText(response, "Response");
  return html`<div class="exchange">${renderCommand(command, "Command")}
<div class="sides"><div><p class="label">Request</p>${renderText(request, "Request")}</div><div><p class="label">Response</p>${answer}</div></div></div>`;
}
