import type { RuleState } from "../../verify-report.js";
import { pluralize } from "../format-values.js";
import { groupBy } from "../group-by.js";
import { brokenRules, countStates, type JudgedRule, ruleStates } from "../judge-rules.js";
import { type Html, html, withCode } from "./html.js";
import type { PageModel } from "./page-model.js";
import { renderBar, renderCell, renderState } from "./render-parts.js";
import { renderChip } from "./render-toolbar.js";

const states = Object.keys(ruleStates) as RuleState[];

/** Resources with a broken rule are initially open if they have at most this many rules in total. */
const maxOpen = 40;
/** Maximum number of checks listed for a rule that they broke. */
const maxNamed = 5;

/** Renders every rule with its text and state, by resource. */
export function renderRules(model: PageModel): Html {
  const { rules } = model.judgement;
  if (rules.length === 0) return html``;
  const counts = countStates(rules);
  const chips = states
    .filter((state) => counts[state] > 0)
    .map((state) => renderChip("state", state, ruleStates[state], counts[state]));
  const resources = [...groupBy(rules, ({ resource }) => resource)];
  const broken = resources.flatMap(([, of]) => (isBroken(of) ? of : []));
  const open = broken.length <= maxOpen;
  const groups = resources.map(([resource, of]) => renderResource(resource, of, model, open && isBroken(of)));
  return html`<section id="rules" aria-labelledby="rules-title" data-group>
<h2 id="rules-title">Rules</h2>
<div class="chips" id="states" role="group" aria-label="State of the rule" hidden>${chips}</div>
${groups}
</section>`;
}

function isBroken(rules: readonly JudgedRule[]): boolean {
  return rules.some(({ state }) => state === "broken");
}

function renderResource(resource: string, rules: readonly JudgedRule[], model: PageModel, open: boolean): Html {
  const counts = countStates(rules);
  const parts = states
    .filter((state) => counts[state] > 0)
    .map((state) => html`<span class="count ${state}">${counts[state]} ${ruleStates[state]}</span>`);
  return html`<details class="group" data-group${open ? html` open` : undefined}>
<summary><h3>${resource}</h3>${renderBar(counts)}<span class="counts">${parts}</span></summary>
<ul class="rules">${rules.map((rule) => renderRule(rule, model))}</ul>
</details>
`;
}

function renderRule(
  { id, text, source, state, untestable, reason, checks }: JudgedRule,
  { ruleOf, checkOf }: PageModel,
): Html {
  const rule = ruleOf(id);
  const why = untestable ?? reason;
  const shown = checks.flatMap((check) => checkOf(check.id) ?? []);
  const broke = shown.filter(({ check }) => brokenRules(check).includes(id));
  const next = broke[maxNamed];
  const failing = broke
    .slice(0, maxNamed)
    .map(({ check, anchor }) => html`<a href="#${anchor}"><code>${check.id}</code></a>`);
  const more = next && html`<a href="#${next.anchor}">${pluralize(broke.length - maxNamed, "more check")}</a>`;
  const cells = shown.map((check) => renderCell(check));
  return html`<li class="rule" id="${rule?.anchor}" data-rule="${rule?.index}" tabindex="-1">
${renderState(state)}<div><p class="id"><code>${id}</code></p><p>${withCode(text)}</p>
${source === undefined ? undefined : html`<p class="source">Source: ${withCode(source)}</p>`}
${why === undefined ? undefined : html`<p class="why">${withCode(why)}</p>`}
${failing.length === 0 ? undefined : html`<p class="failing">${failing}${more}</p>`}</div>
${cells.length === 0 ? undefined : html`<p class="cells">${cells}</p>`}</li>`;
}
