import { formatDuration, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { visibleLine } from "../../text/visible-text.js";
import {
  describeBeyond,
  describeLeft,
  describeMissing,
  describeNeed,
  describeOutside,
  describeTraffic,
  nextNeeds,
  operationCells,
} from "../model/describe.js";
import { tabledOperations } from "../model/judge-operations.js";
import { tallyStates, tallyVerdicts, verdictNames } from "../model/verdict.js";
import { type Html, html, withCode } from "./html.js";
import type { PageCheck, PageModel, PageRule } from "./page-model.js";
import { renderBadge, renderChips, renderCounts, renderRuleLink, renderText } from "./parts.js";

/** Resources with a broken rule are initially open if they have at most this many rules in total. */
const maxOpen = 40;
/** Maximum number of checks listed for a rule that they broke. */
const maxNamed = 5;

/** Renders the table of operations. Undefined without any. */
export function renderOperations({ report, groups }: PageModel): Html | undefined {
  const operations = tabledOperations(report);
  if (operations.length === 0) return undefined;
  const anchors = new Map(groups.map(({ name, anchor }) => [name, anchor]));
  const lines = operations.map((operation) => {
    const { id, title, state } = operation;
    const anchor = anchors.get(id);
    const name = anchor === undefined ? html`${id}` : html`<a href="#${anchor}">${id}</a>`;
    const [stateName, ...counts] = operationCells(operation);
    return html`<tr><th scope="row">${name} <small>${title}</small></th><td><span class="badge ${state}">${stateName}</span></td>${counts.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
  });
  const heads = ["Operation", "State", "Kept", "Exercised", "Rules"].map((head) => html`<th scope="col">${head}</th>`);
  return html`<section id="operations" aria-labelledby="operations-title">
<h2 id="operations-title">Operations</h2>
<table class="operations"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>
${describeMissing(report).map((line) => html`<p class="why">${visibleLine(line)}</p>`)}
</section>`;
}

/** Renders what was not sent, and what the run created and did not remove. Undefined without either. */
export function renderLeft({ report }: PageModel): Html | undefined {
  const lines = describeLeft(report);
  return lines.length === 0
    ? undefined
    : html`<ul class="left">${lines.map((line) => html`<li>${withCode(visibleLine(line))}</li>`)}</ul>`;
}

/** Renders what skipped checks need, and what `--operation` does not select. Undefined without either. */
export function renderNext({ report }: PageModel): Html | undefined {
  const needs = nextNeeds(report);
  const beyond = describeBeyond(report);
  if (needs.length + beyond.length === 0) return undefined;
  const items = needs.map((need) => {
    const line = withCode(describeNeed(need));
    if (need.help === undefined) return html`<li>${line}</li>`;
    return html`<li><details class="earlier"><summary>${line}</summary>${renderText(need.help, "What a setup returns")}</details></li>`;
  });
  return html`<section id="next" aria-labelledby="next-title">
<h2 id="next-title">What to do next</h2>
<ul>${items}</ul>
${beyond.map((line) => html`<p class="why">${line}</p>`)}
</section>`;
}

/** Renders every rule with its text and state, by resource. */
export function renderRuleList(model: PageModel): Html | undefined {
  const rules = [...model.rules.values()];
  const outside = describeOutside(model.report).map((line) => html`<p class="hint">${line}.</p>`);
  if (rules.length === 0) return undefined;
  const isBroken = (of: readonly PageRule[]) => of.some(({ state }) => state === "broken");
  const resources = [...groupBy(rules, ({ resource }) => resource)];
  const canOpen = resources.flatMap(([, of]) => (isBroken(of) ? of : [])).length <= maxOpen;
  const groups = resources.map(
    ([resource, of]) => html`<details class="group" data-group${canOpen && isBroken(of) ? html` open` : undefined}>
<summary><h3>${resource}</h3>${renderCounts(tallyStates(of))}</summary>
<ul class="rules">${of.map(renderRule)}</ul>
</details>
`,
  );
  return html`<section id="rules" aria-labelledby="rules-title" data-group>
<h2 id="rules-title">Rules</h2>
<div class="chips" id="states" role="group" aria-label="State of the rule" hidden>${renderChips("state", tallyStates(rules))}</div>
${outside}${groups}
</section>`;
}

function renderRule({ id, text, source, state, untestable, reason, anchor, index, concerning }: PageRule): Html {
  const why = untestable ?? reason;
  const broke = concerning.filter(({ broken = [] }) => broken.includes(id));
  const next = broke[maxNamed];
  const failing = broke
    .slice(0, maxNamed)
    .map((check) => html`<a href="#${check.anchor}"><code>${check.id}</code></a>`);
  const more = next && html`<a href="#${next.anchor}">${pluralize(broke.length - maxNamed, "more check")}</a>`;
  const cells = concerning.map(
    (check) =>
      html`<a class="cell ${check.verdict}" href="#${check.anchor}" aria-label="${check.id}: ${verdictNames[check.verdict]}"></a>`,
  );
  return html`<li class="rule" id="${anchor}" data-rule="${index}" data-state="${state}" tabindex="-1">
${renderBadge(state)}<div><p class="id"><code>${id}</code></p><p class="text">${withCode(text)}</p>
${source && html`<p class="source">Source: ${withCode(source)}</p>`}
${why && html`<p class="why">${withCode(why)}</p>`}
${failing.length === 0 ? undefined : html`<p class="failing">${failing}${more}</p>`}</div>
${cells.length === 0 ? undefined : html`<p class="cells">${cells}</p>`}</li>`;
}

/** Renders every check by operation. Checks that a finding describes link to it. */
export function renderChecks({ groups, rules }: PageModel): Html | undefined {
  if (groups.length === 0) return undefined;
  const shown = groups.map(({ name, anchor, isWorkflow, checks }) => {
    const count = isWorkflow ? html` <small>${pluralize(checks.length, "workflow")}</small>` : undefined;
    return html`<details class="group" id="${anchor}" data-group>
<summary><h3>${name}${count}</h3>${renderCounts(tallyVerdicts(checks))}</summary>
<ul class="checks">${checks.map((check) => renderCheck(check, rules))}</ul>
</details>
`;
  });
  return html`<section id="checks" aria-labelledby="checks-title" data-group>
<h2 id="checks-title">Checks</h2>
${shown}
</section>`;
}

/** Renders a check in a line, with the data that the script filters by. */
function renderCheck(check: PageCheck, rules: PageModel["rules"]): Html {
  const { id, verdict, summary, anchor, index, isDescribed, reason, problems = [], broken = [] } = check;
  const name = isDescribed ? html`<a href="#${anchor}"><code>${id}</code></a>` : html`<code>${id}</code>`;
  const place = isDescribed ? undefined : html` id="${anchor}" tabindex="-1"`;
  const why = isDescribed ? undefined : (problems[0] ?? (verdict === "skipped" ? reason : undefined));
  const links = check.rules.map((rule) => html` ${renderRuleLink(rule, rules.get(rule))}`);
  const concerned = [...new Set([...check.rules, ...broken])].flatMap((rule) => rules.get(rule)?.index ?? []);
  return html`<li${place} data-check="${index}" data-verdict="${verdict}" data-rules="${concerned.join(" ")}">${renderBadge(verdict)}<div><p class="id">${name}</p><p>${withCode(summary)}</p>${why && html`<p class="why">${why}</p>`}${
    links.length === 0 ? undefined : html`<p class="links">${links}</p>`
  }</div><small>${formatDuration(check.durationMs)}</small></li>
`;
}

/** Renders what the traffic of a client has shown. Undefined for the verification of a server. */
export function renderCoverage({ report: { coverage } }: PageModel): Html | undefined {
  if (coverage === undefined) return undefined;
  const groups = coverage.sections.map(({ title, items }) => {
    const shown = items.filter(({ count }) => count > 0).length;
    const rows = items.map(({ name, operation, count }) => {
      const often = count === 0 ? "never shown" : pluralize(count, "exchange");
      return html`<li><code>${operation === undefined ? name : `${operation} ${name}`}</code><small>${often}</small></li>`;
    });
    const counts = [
      { key: "kept", name: "shown", count: shown },
      { key: "not-exercised", name: "never shown", count: items.length - shown },
    ];
    return html`<details class="group"><summary><h3>${title}</h3>${renderCounts(counts)}</summary>
<ul class="coverage">${rows}</ul></details>
`;
  });
  return html`<section id="coverage" aria-labelledby="coverage-title">
<h2 id="coverage-title">Coverage</h2>
<p class="hint">${pluralize(coverage.exchanges, "exchange")}.</p>
<ul>${describeTraffic(coverage).map((line) => html`<li>${line}</li>`)}</ul>
${groups}
</section>`;
}
