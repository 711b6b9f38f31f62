import { commandOf } from "../command-of.js";
import { describeVerdict } from "../describe-verdict.js";
import { measureExercise } from "../exit-code.js";
import { formatDuration, pluralize } from "../format-values.js";
import { countStates, ruleStates } from "../judge-rules.js";
import { countVerdicts, verdictNames, verdicts } from "../verdict.js";
import { type Html, html } from "./html.js";
import type { PageModel } from "./page-model.js";
import { renderBar } from "./render-parts.js";

/** Renders the verdict, the facts of the run, and the counts of rules and checks. */
export function renderHead({ report, judgement }: PageModel, hasFailures: boolean): Html {
  const { contract, version, target, level, seed, partial, startedAt, durationMs, rules, checks } = report;
  const { word, sentence } = describeVerdict(report, judgement);
  const states = countStates(judgement.rules);
  const counts = countVerdicts(report);
  const { exercised, exercisable, percent } = measureExercise(report, judgement.rules);
  const started = startedAt.replace("T", " ").replace(/\.\d+/, "").replace(/Z$/, " UTC");
  const facts: readonly (readonly [string, Html] | undefined)[] = [
    ["Target", html`<code>${target}</code>`],
    ["Contract", html`${contract} ${version}`],
    level === undefined ? undefined : ["Feature level", html`${level}`],
    seed === undefined ? undefined : ["Seed", html`${seed}`],
    ["Started", html`<time datetime="${startedAt}">${started}</time>`],
    ["Took", html`${formatDuration(durationMs)}`],
    ["Exercised", html`${exercised} of ${exercisable} rules (${percent} %)`],
    partial === true ? ["Scope", html`some checks only`] : undefined,
  ];
  const shown = facts.flatMap((fact) =>
    fact === undefined ? [] : [html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`],
  );
  const stateNames = Object.entries(ruleStates).map(([state, name]) => ({ state, name }));
  return html`<header class="head">
<div class="top"><p>${commandOf(report)}</p>${renderLinks(hasFailures, rules.length > 0, report.coverage !== undefined)}</div>
<h1><span class="word ${word.toLowerCase().replaceAll(" ", "-")}">${word}</span> <span class="sentence">${sentence}</span></h1>
<dl class="facts">${shown}</dl>
<div class="totals">
<div><h2>${pluralize(rules.length, "rule")}</h2>${renderBar(states)}${renderLegend(stateNames.map(({ state, name }) => [state, name, states[state as keyof typeof states]]))}</div>
<div><h2>${pluralize(checks.length, "check")}</h2>${renderBar(Object.fromEntries([...verdicts].reverse().map((verdict) => [verdict, counts[verdict]])))}${renderLegend([...verdicts].reverse().map((verdict) => [verdict, verdictNames[verdict], counts[verdict]]))}</div>
</div>
</header>`;
}

/** Renders links to the parts of the page. */
function renderLinks(hasFailures: boolean, hasRules: boolean, hasCoverage: boolean): Html {
  const parts = [
    html`<a href="#map">Map</a>`,
    ...(hasFailures ? [html`<a href="#failures">Failures</a>`] : []),
    ...(hasRules ? [html`<a href="#rules">Rules</a>`] : []),
    html`<a href="#checks">Checks</a>`,
    ...(hasCoverage ? [html`<a href="#coverage">Coverage</a>`] : []),
  ];
  return html`<nav aria-label="Parts of this page">${parts}</nav>`;
}

function renderLegend(entries: readonly (readonly [state: string, name: string, count: number])[]): Html {
  const items = entries
    .filter(([, , count]) => count > 0)
    .map(
      ([state, name, count]) =>
        html`<li><span class="cell ${state}"></span><b>${count.toLocaleString("en-US")}</b> ${name}</li>`,
    );
  return html`<ul class="legend">${items}</ul>`;
}
