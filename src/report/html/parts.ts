import { countOf } from "../../text/format-values.js";
import { ruleStates, type Tally, verdictNames } from "../model/verdict.js";
import { type Html, html } from "./html.js";
import type { PageRule } from "./page-model.js";

const names = { ...verdictNames, ...ruleStates };

/** Renders the verdict on a check, or the state of a rule. */
export function renderBadge(key: keyof typeof names): Html {
  return html`<span class="badge ${key}">${names[key]}</span>`;
}

/** Renders the verdicts or states that occur. */
export function renderTallies(tallies: readonly Tally<string>[], render: (tally: Tally<string>) => Html): Html[] {
  return tallies.filter(({ count }) => count > 0).map(render);
}

/** Renders the number of checks or rules with each verdict or state. */
export function renderCounts(tallies: readonly Tally<string>[]): Html {
  const counts = renderTallies(
    tallies,
    ({ key, name, count }) => html`<span class="count ${key}">${countOf(count)} ${name}</span>`,
  );
  return html`<span class="counts">${counts}</span>`;
}

/** Renders a toggle for each verdict or state. */
export function renderChips(filter: "verdict" | "state", tallies: readonly Tally<string>[]): Html[] {
  return renderTallies(
    tallies,
    ({ key, name, count }) =>
      html`<button type="button" class="chip" data-filter="${filter}" data-value="${key}" aria-pressed="false"><span class="cell ${key}"></span>${name} <b>${countOf(count)}</b></button>`,
  );
}

/** Renders the id of a rule, which links to the rule if it is on the page. */
export function renderRuleLink(id: string, rule: PageRule | undefined): Html {
  return rule === undefined ? html`<code>${id}</code>` : html`<a href="#${rule.anchor}"><code>${id}</code></a>`;
}

/** Renders a command with a button that copies it if scripts run. */
export function renderCommand(command: string, label: string): Html {
  return html`<div class="command">${renderText(command, label)}<button type="button" class="copy" hidden>Copy</button></div>`;
}

/** Renders a text with its line breaks. */
export function renderText(text: string, label: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}
