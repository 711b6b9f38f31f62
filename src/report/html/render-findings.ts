import { pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { rerunOptions } from "../format-summary.js";
import type { ReportedExchange } from "../model/check-result.js";
import type { FindingTag } from "../model/finding.js";
import { tallyVerdicts } from "../model/verdict.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageFinding, PageModel } from "./page-model.js";
import { renderBadge, renderCommand, renderCounts, renderRuleLink, renderText } from "./parts.js";

/** Findings are initially open if there are at most this many checks, and this many checks in them. */
const maxOpenFindings = 5;
const maxOpenChecks = 2;
/** More findings than this are folded by resource. */
const maxFindings = 30;

const sections: readonly (readonly [title: string, ...tags: FindingTag[]])[] = [
  ["What is wrong", "FAIL", "OUT OF DATE", "COULD NOT RUN"],
  ["Recommendations not followed", "DEVIATES"],
  ["Known to fail", "KNOWN TO FAIL"],
];

/** Renders all findings; undefined without any. */
export function renderFindings(model: PageModel): Html | undefined {
  const shown = sections
    .map(([title, ...tags]) => ({ title, of: model.findings.filter(({ tag }) => tags.includes(tag)) }))
    .filter(({ of }) => of.length > 0)
    .map(({ title, of }, at) => {
      const isOpen = at === 0 && of[0]?.tag !== "KNOWN TO FAIL";
      const head = at === 0 ? html`<h2 id="failures-title">${title}</h2>` : html`<h2 class="known">${title}</h2>`;
      return html`${head}${renderGroup(of, model, isOpen)}`;
    });
  if (shown.length === 0) return undefined;
  return html`<section id="failures" aria-labelledby="failures-title" data-group>
${shown}
</section>`;
}

/** Renders findings one below the other, or folded by resource if there are too many. */
function renderGroup(findings: readonly PageFinding[], model: PageModel, canOpen: boolean): Html {
  const checks = findings.flatMap((finding) => finding.checks);
  if (findings.length > maxFindings) {
    const parts = [...groupBy(findings, ({ rule, tag }) => rule?.resource ?? tag.toLowerCase())].map(
      ([name, of]) => html`<details class="group" data-group>
<summary><h3>${name}</h3>${renderCounts(tallyVerdicts(of.flatMap((finding) => finding.checks)))}</summary>
<div class="topics">${of.map((finding) => renderFinding(finding, model, 4, undefined))}</div>
</details>
`,
    );
    return html`${parts}`;
  }
  const isOpen = canOpen && checks.length <= maxOpenFindings;
  let before = 0;
  const topics = findings.map((finding) => {
    const opened = isOpen ? Math.max(maxOpenChecks - before, 0) : undefined;
    before += finding.checks.length;
    return renderFinding(finding, model, 3, opened);
  });
  return html`<div class="topics">${topics}</div>`;
}

/** Renders a finding. `opened` is the number of open checks; without it, the finding is folded. */
function renderFinding(finding: PageFinding, model: PageModel, level: 3 | 4, opened: number | undefined): Html {
  const { tag, title, sentences, rule, checks } = finding;
  const [sentence, ...notes] = sentences;
  // The only check of a folded finding is open, so that it takes one click to see it.
  const maxOpen = opened ?? (checks.length === 1 ? 1 : 0);
  const cards = checks.map((check, index) => renderCard(check, finding, model, `h${level + 1}`, index < maxOpen));
  const heading: Html = { markup: `h${level}` };
  const name = tag === "KNOWN TO FAIL" ? html`${title}` : html`<code>${title}</code>`;
  const counts =
    checks.length > 0
      ? renderCounts(tallyVerdicts(checks))
      : html`<span class="counts"><span class="count stale">out of date</span></span>`;
  return html`<details class="topic"${checks.length > 0 ? html` data-group` : html` data-entry`}${opened === undefined ? undefined : html` open`}>
<summary><${heading}>${name}</${heading}>${sentence && html`<span class="sentence">${withCode(sentence)}</span>`}${counts}${renderFirst(checks[0])}</summary>
<div class="cards">${notes.map((note) => html`<p class="source">${withCode(note)}</p>`)}
${rule && html`<p class="to"><a href="#${model.rules.get(rule.id)?.anchor}">All checks of this rule</a></p>`}
${cards}</div>
</details>
`;
}

/** Renders all details of a check with problems. */
function renderCard(
  check: PageCheck,
  { rule: above }: PageFinding,
  { report, rules }: PageModel,
  headingName: string,
  open: boolean,
): Html {
  const { id, verdict, anchor, index, summary, knownFailing, help, trace = [], broken } = check;
  const heading: Html = { markup: headingName };
  const others = (broken ?? check.rules).filter((one) => one !== above?.id);
  const ofRules = others.map((one) => {
    const rule = rules.get(one);
    return html`<li>${renderRuleLink(one, rule)}${rule && html` <span>${withCode(rule.text)}</span>`}</li>`;
  });
  const problems = problemsOf(check).map((problem) => html`<li>${withCode(problem)}</li>`);
  const before = trace.slice(0, -1);
  const earlier = html`<details class="earlier"><summary>${pluralize(before.length, "call")} before</summary>${before.map(renderExchange)}</details>`;
  const again = renderCommand(rerunOptions(id, report), "Options that run the check again");
  // No tabindex here: with it, the tab key skips everything inside in Chromium.
  return html`<details class="card ${verdict}" id="${anchor}" data-check="${index}"${open ? html` open` : undefined}>
<summary><${heading}>${renderBadge(verdict)} <code>${id}</code></${heading}><span class="summary">${withCode(summary)}</span>${renderFirst(check)}</summary>
<div class="body">
${others.length === 0 ? undefined : html`<div class="ofcheck">${above && html`<p class="label">Also breaks</p>`}<ul>${ofRules}</ul></div>`}
${knownFailing && html`<p class="reason">Known to fail: ${knownFailing}</p>`}
${problems.length === 0 ? undefined : html`<ul class="problems">${problems}</ul>`}
${help && html`<p class="help">${withCode(help)}</p>`}
${before.length === 0 ? undefined : earlier}${trace.slice(-1).map(renderExchange)}
${report.coverage === undefined ? html`<div class="again"><p class="label">Run it again with</p>${again}</div>` : undefined}
</div>
</details>
`;
}

function problemsOf({ verdict, problems = [], reason = "" }: PageCheck): readonly string[] {
  return verdict === "errored" ? [reason] : problems;
}

/** The first problem, which a folded card or finding shows. */
function renderFirst(check: PageCheck | undefined): Html | undefined {
  const [first] = check === undefined ? [] : problemsOf(check);
  return first === undefined ? undefined : html`<span class="first">${withCode(first)}</span>`;
}

function renderExchange({ command, request, response }: ReportedExchange): Html {
  const answer = response === undefined ? html`<p class="none">No answer.</p>` : renderText(response, "Response");
  return html`<div class="exchange">${renderCommand(command, "Command")}
<div class="sides"><div><p class="label">Request</p>${renderText(request, "Request")}</div><div><p class="label">Response</p>${answer}</div></div></div>`;
}
