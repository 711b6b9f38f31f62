import { pluralize } from "../../../text/format-values.js";
import { groupBy } from "../../../text/group-by.js";
import { tallyStates } from "../../model/verdict.js";
import { type Html, html, withCode } from "./html.js";
import type { PageModel, PageRule } from "./page-model.js";
import { renderBadge, renderBar, renderCell, renderChips, renderCounts } from "./render-parts.js";

/** Resources with a broken rule are initially open if they have at most this many rules in total. */
const maxOpen = 40;
/** Maximum number of checks listed for a rule that they broke. */
const maxNamed = 5;

/** Renders every rule with its text and state, by resource. */
export function renderRules(model: PageModel): Html | undefined {
  const rules = [...model.rules.values()];
  if (rules.length === 0) return undefined;
  const isBroken = (of: readonly PageRule[]) => of.some(({ state }) => state === "broken");
  const resources = [...groupBy(rules, ({ resource }) => resource)];
  const canOpen = resources.flatMap(([, of]) => (isBroken(of) ? of : [])).length <= maxOpen;
  const groups = resources.map(([resource, of]) => {
    const counts = tallyStates(of);
    return html`<details class="group" data-group${canOpen && isBroken(of) ? html` open` : undefined}>
<summary><h3>${resource}</h3>${renderBar(counts)}<span class="counts">${renderCounts(counts)}</span></summary>
<ul class="rules">${of.map(renderRule)}</ul>
</details>
`;
  });
  return html`<section id="rules" aria-labelledby="rules-title" data-group>
<h2 id="rules-title">Rules</h2>
<div class="chips" id="states" role="group" aria-label="State of the rule" hidden>${renderChips("state", tallyStates(rules))}</div>
${groups}
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
  const cells = concerning.map((check) => renderCell(check));
  return html`<li class="rule" id="${anchor}" data-rule="${index}" data-state="${state}" tabindex="-1">
${renderBadge(state)}<div><p class="id"><code>${id}</code></p><p class="text">${withCode(text)}</p>
${source && html`<p class="source">Source: ${withCode(source)}</p>`}
${why && html`<p class="why">${withCode(why)}</p>`}
${failing.length === 0 ? undefined : html`<p class="failing">${failing}${more}</p>`}</div>
${cells.length === 0 ? undefined : html`<p class="cells">${cells}</p>`}</li>`;
}
