import type { StrengthOfRule } from "../contract/strength.js";
import { type Html, html } from "../report/html/html.js";
import { nothing, richLine } from "./fragment.js";
import { anchorOf } from "./page.js";

/** What a page shows of a rule of either kind of contract. */
interface ShownRule extends StrengthOfRule {
  readonly id: string;
  readonly text: string;
  readonly party?: "client";
  readonly source?: string;
  readonly untestable?: string;
}

/** Renders rules, the required ones first. */
export function renderRules(rules: readonly ShownRule[]): Html {
  if (rules.length === 0) return nothing;
  const ordered = [...rules.filter(isRequired), ...rules.filter((rule) => !isRequired(rule))];
  return html`<h4>Rules</h4><ul class="rules">${ordered.map(renderRule)}</ul>`;
}

function isRequired({ strength = "must" }: StrengthOfRule): boolean {
  return strength === "must";
}

function renderRule(rule: ShownRule): Html {
  const { id, text, party, source, gap, untestable } = rule;
  const strength = isRequired(rule)
    ? html`<span class="strength must">required</span>`
    : html`<span class="strength should">recommended</span>`;
  const notes = [
    gap === undefined ? nothing : html` Decides: ${richLine(gap)}.`,
    source === undefined ? nothing : html` Source: ${richLine(source)}.`,
    untestable === undefined ? nothing : html` Not checked: ${richLine(untestable)}`,
  ];
  return html`<li id="${anchorOf("rule", id)}"><p><code>${id}</code> ${strength}${party === "client" ? " for clients" : ""}</p><p>${richLine(text)}</p><p class="source">${notes}</p></li>`;
}

/** Links to rules by their ids. */
export function linkRule(id: string): Html {
  return html`<a href="#${anchorOf("rule", id)}"><code>${id}</code></a>`;
}

/** Renders a value as indented JSON. */
export function renderJson(label: string, value: unknown): Html {
  return value === undefined
    ? nothing
    : html`<p class="source">${label}</p><pre tabindex="0">${JSON.stringify(value, undefined, 2)}</pre>`;
}
