import type { Check, Exchange } from "../../check.js";
import { countOf } from "../count-of.js";
import type { StaleEntry } from "../judge-rules.js";
import { brokenRules } from "../judge-rules.js";
import { visibleLine } from "../visible-text.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageModel } from "./page-model.js";
import { renderCommand, renderVerdict } from "./render-parts.js";

/** So many failures are open at first. */
const openAtFirst = 2;

/** Whether a check is described in full. */
export function isDescribed({ verdict }: PageCheck): boolean {
  return verdict !== "passed" && verdict !== "left-out";
}

/** What is wrong, if anything: failures, entries of the known-failing list that are out of date, what could not run, what is known to fail. */
export function renderFailures(model: PageModel): Html | undefined {
  const { checks, judgement } = model;
  const of = (...verdicts: readonly PageCheck["verdict"][]) =>
    checks.filter(({ verdict }) => verdicts.includes(verdict));
  const [urgent, known] = [[...of("failed"), ...of("stale"), ...of("errored")], of("expected")];
  const unknown = judgement.stale.filter(({ why }) => why === "unknown");
  if (urgent.length + known.length + unknown.length === 0) return undefined;
  const first = urgent.length + unknown.length === 0 ? "Known to fail" : "What is wrong";
  return html`<section id="failures" aria-labelledby="failures-title" data-group>
<h2 id="failures-title">${first}</h2>
${urgent.map((check, index) => renderCard(check, model, index < openAtFirst))}
${unknown.map(renderUnknown)}
${urgent.length + unknown.length > 0 && known.length > 0 ? html`<h3 class="known">Known to fail</h3>` : undefined}
${known.map((check) => renderCard(check, model, false))}
</section>`;
}

function renderCard({ check, verdict, anchor, index }: PageCheck, model: PageModel, open: boolean): Html {
  const { report } = model;
  const first = firstProblem(check);
  const reason = report.knownFailing.get(check.id);
  const again = `--only '${visibleLine(check.id).replaceAll("'", "'\\''")}' --seed ${report.seed}`;
  return html`<details class="card ${verdict}" id="${anchor}" data-check="${index}" tabindex="-1"${open ? html` open` : undefined}>
<summary><h3>${renderVerdict(verdict)} <code>${check.id}</code></h3><span class="summary">${check.summary}</span>${first === undefined ? undefined : html`<span class="first">${withCode(first)}</span>`}</summary>
<div class="body">
${renderRules(check, model)}
${reason === undefined ? undefined : html`<p class="reason">Known to fail: ${reason}</p>`}
${renderOutcome(check)}
<div class="again"><h4>Run it again with</h4>${renderCommand(again, "Options that run the check again")}</div>
</div>
</details>
`;
}

/** What a folded card says. */
function firstProblem({ outcome }: Check): string | undefined {
  if (outcome.kind === "errored") return outcome.reason;
  return outcome.kind === "failed" ? outcome.problems[0] : undefined;
}

/** The sentences of the rules that the check broke, or shows. */
function renderRules(check: Check, { ruleOf }: PageModel): Html {
  const ids = check.outcome.kind === "failed" ? brokenRules(check) : check.rules;
  const items = ids.map((id) => {
    const rule = ruleOf(id);
    if (rule === undefined) return html`<li><code>${id}</code></li>`;
    return html`<li><a href="#${rule.anchor}"><code>${id}</code></a> <span>${withCode(rule.text)}</span></li>`;
  });
  return items.length === 0
    ? html`<p class="norule">No rule: <code>${check.operation}</code> answers otherwise than described.</p>`
    : html`<ul class="ofcheck">${items}</ul>`;
}

function renderOutcome({ outcome }: Check): Html {
  switch (outcome.kind) {
    case "failed":
      return html`<ul class="problems">${outcome.problems.map((problem) => html`<li>${withCode(problem)}</li>`)}</ul>${renderTrace(outcome.trace)}`;
    case "errored": {
      const help = outcome.help === undefined ? undefined : html`<p class="help">${withCode(outcome.help)}</p>`;
      return html`<ul class="problems"><li>${withCode(outcome.reason)}</li></ul>${help}${renderTrace(outcome.trace)}`;
    }
    case "passed":
      return html`<p>It is listed as known to fail, and passes. Remove it from the list.</p>`;
    case "left-out":
      return html`<p>${outcome.reason}</p>`;
  }
}

/** The calls of a check: the last, and those before it when asked for. */
function renderTrace(trace: readonly Exchange[]): Html {
  const last = trace.at(-1);
  if (last === undefined) return html``;
  const before = trace.slice(0, -1);
  const earlier = html`<details class="earlier"><summary>${countOf(before.length, "call")} before</summary>${before.map(renderExchange)}</details>`;
  return html`${before.length === 0 ? undefined : earlier}${renderExchange(last)}`;
}

function renderExchange({ command, request, response }: Exchange): Html {
  const answer = response === undefined ? html`<p class="none">No answer came.</p>` : renderText(response, "Response");
  return html`<div class="exchange">${renderCommand(command, "Command")}
<div class="sides"><div><h4>Request</h4>${renderText(request, "Request")}</div><div><h4>Response</h4>${answer}</div></div></div>`;
}

function renderText(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

function renderUnknown({ name, reason, nearest }: StaleEntry): Html {
  const similar = html`<p>Similar names:</p><ul>${nearest.map((other) => html`<li><code>${other}</code></li>`)}</ul>`;
  return html`<div class="card stale"><h3><span class="badge stale">out of date</span> <code>${name}</code></h3>
<div class="body"><p>It is listed as known to fail, and no check has this name.</p>${nearest.length === 0 ? undefined : similar}<p class="reason">Reason given: ${reason}</p></div></div>`;
}
