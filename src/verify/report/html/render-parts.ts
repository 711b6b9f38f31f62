import type { RuleState } from "../../verify-report.js";
import { ruleStates } from "../judge-rules.js";
import { type Verdict, verdictNames } from "../verdict.js";
import { type Html, html } from "./html.js";
import type { PageCheck } from "./page-model.js";

/** Renders a small square that links to a check. */
export function renderCell({ check, verdict, anchor, index }: PageCheck, tracked = false): Html {
  const place = tracked ? html` data-check="${index}"` : undefined;
  return html`<a class="cell ${verdict}" href="#${anchor}" aria-label="${check.id}: ${verdictNames[verdict]}"${place}></a>`;
}

/** The level of a heading. */
export type HeadingLevel = 3 | 4 | 5;

/** Renders a heading whose level depends on its place. */
export function renderHeading(level: HeadingLevel, content: Html): Html {
  const tag: Html = { markup: `h${level}` };
  return html`<${tag}>${content}</${tag}>`;
}

/** Renders the verdict on a check. */
export function renderVerdict(verdict: Verdict): Html {
  return html`<span class="badge ${verdict}">${verdictNames[verdict]}</span>`;
}

/** Renders the state of a rule. */
export function renderState(state: RuleState): Html {
  return html`<span class="badge ${state}">${ruleStates[state]}</span>`;
}

/** Renders the shares of a whole as a bar. It is hidden from screen readers, because the text beside it says the same. */
export function renderBar(counts: Readonly<Record<string, number>>): Html {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return html``;
  let at = 0;
  const parts = Object.entries(counts).map(([name, count]) => {
    const part = html`<rect class="${name}" x="${(100 * at) / total}" width="${(100 * count) / total}" height="1"/>`;
    at += count;
    return count === 0 ? html`` : part;
  });
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** Renders a command with a button that copies it if scripts run. */
export function renderCommand(command: string, label: string): Html {
  return html`<div class="command"><pre tabindex="0" role="group" aria-label="${label}">${command}</pre><button type="button" class="copy" hidden>Copy</button></div>`;
}
