import { countOf } from "../../../text/format-values.js";
import { ruleStates, type Tally, verdictNames } from "../../model/verdict.js";
import { type Html, html } from "./html.js";
import type { PageCheck } from "./page-model.js";

/** Renders a small square that links to a check. */
export function renderCell({ id, verdict, anchor, index }: PageCheck, tracked = false): Html {
  const place = tracked ? html` data-check="${index}"` : undefined;
  return html`<a class="cell ${verdict}" href="#${anchor}" aria-label="${id}: ${verdictNames[verdict]}"${place}></a>`;
}

/** Renders the verdict on a check, or the state of a rule. */
export function renderBadge(key: keyof typeof names): Html {
  return html`<span class="badge ${key}">${names[key]}</span>`;
}

const names = { ...verdictNames, ...ruleStates };

/** Omits the verdicts or states that do not occur. */
export function occurring(counts: readonly Tally<string>[]): readonly Tally<string>[] {
  return counts.filter(({ count }) => count > 0);
}

/** Renders the number of checks or rules with each verdict or state. */
export function renderCounts(counts: readonly Tally<string>[]): Html[] {
  return occurring(counts).map(
    ({ key, name, count }) => html`<span class="count ${key}">${countOf(count)} ${name}</span>`,
  );
}

/** Renders a toggle for each verdict, state or kind. */
export function renderChips(filter: string, counts: readonly Tally<string>[]): Html[] {
  return occurring(counts).map(
    ({ key, name, count }) =>
      html`<button type="button" class="chip" data-filter="${filter}" data-value="${key}" aria-pressed="false"><span class="cell ${key}"></span>${name} <b>${countOf(count)}</b></button>`,
  );
}

/** Renders the shares of a whole as a bar. It is hidden from screen readers, because the text beside it says the same. */
export function renderBar(counts: readonly Tally<string>[]): Html {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  let at = 0;
  const parts = occurring(counts).map(({ key, count }) => {
    const part = html`<rect class="${key}" x="${(100 * at) / total}" width="${(100 * count) / total}" height="1"/>`;
    at += count;
    return part;
  });
  if (total === 0) return html``;
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** Renders a command with a button that copies it if scripts run. */
export function renderCommand(command: string, label: string): Html {
  return html`<div class="command">${renderText(command, label)}<button type="button" class="copy" hidden>Copy</button></div>`;
}

/** Renders a text with its line breaks. */
export function renderText(text: string, label: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}
