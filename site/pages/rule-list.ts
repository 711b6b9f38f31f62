import type { Rule } from "../../src/contract/rest/rule.js";
import { join, nothing, richLine } from "../../src/docs/fragment.js";
import { type Html, html } from "../../src/report/html/html.js";
import { ruleLevels } from "../levels/level-notes.js";

/** A rule of either contract, with links to what checks it. */
export interface ShownRule
  extends Pick<Rule, "id" | "text" | "strength" | "gap" | "source" | "since" | "until" | "untestable"> {
  readonly isOfClients: boolean;
  /** The path from this page to the page of the rule. Defaults to this page. */
  readonly page?: string;
  /** Links to cases and workflows, and the names of derived checks. */
  readonly checks: readonly Html[];
  /** Attributes for the levels of the rule and its id. */
  readonly attributes: Html;
}

/** Maximum number of checks that a rule shows unfolded. */
const maxShown = 8;

/** Renders rules as a list, each with its id as an anchor. */
export function renderRules(rules: readonly ShownRule[]): Html {
  return html`<ul class="rules">${rules.map(renderRule)}</ul>`;
}

function renderRule({ attributes, checks, page = "", ...rule }: ShownRule): Html {
  const { id, text, strength = "must", gap, source, untestable, isOfClients } = rule;
  const strengthBadge =
    strength === "must"
      ? html`<span class="strength must">required</span>`
      : html`<span class="strength should">recommended</span>`;
  const shown = checks.slice(0, maxShown);
  const rest = checks.slice(maxShown);
  const more =
    rest.length === 0 ? nothing : html` <details><summary>${rest.length} more</summary>${join(rest, " ")}</details>`;
  const checkedBy =
    untestable === undefined ? html`Checked by ${join(shown, " ")}${more}` : html`Not checked: ${richLine(untestable)}`;
  return html`<li${attributes}>
<p class="rule-head"><a class="rule-id" href="${page}#rule-${id}"><code>${id}</code></a> ${strengthBadge}${isOfClients ? html` <span class="strength client">for clients</span>` : ""} ${join(ruleLevels(rule), " ")}</p>
<p class="rule-text">${richLine(text)}</p>
<p class="rule-source">${gap === undefined ? "" : html`<span>Open in the requirements: ${richLine(gap)}.</span> `}${source === undefined ? "" : html`<span>Source: ${richLine(source)}.</span>`}</p>
<div class="rule-checks">${checkedBy}</div>
</li>`;
}
