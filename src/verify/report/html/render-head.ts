import { countOf, formatDuration, pluralize } from "../../../text/format-values.js";
import { checkKinds } from "../../model/check-result.js";
import { commandOf } from "../../model/command-of.js";
import { tabledOperations } from "../../model/judge-operations.js";
import { type Tally, tallyStates, tallyVerdicts } from "../../model/verdict.js";
import { type Html, html } from "./html.js";
import type { PageModel } from "./page-model.js";
import { occurring, renderBar, renderChips } from "./render-parts.js";

/** Renders the verdict, the facts of the run, and the counts of rules and checks. */
export function renderHead({ report }: PageModel, hasFailures: boolean): Html {
  const { contract, version, target, level, seed, partial, startedAt, durationMs, rules, checks, coverage } = report;
  const { word, sentence } = report.verdict;
  const { exercised, exercisable, percent } = report.exercise;
  const started = startedAt.replace("T", " ").replace(/\.\d+/, "").replace(/Z$/, " UTC");
  const facts = Object.entries({
    Target: html`<code>${target}</code>`,
    Contract: html`${contract} ${version}`,
    "Feature level": level,
    Seed: seed,
    Started: html`<time datetime="${startedAt}">${started}</time>`,
    Took: formatDuration(durationMs),
    Exercised: `${exercised} of ${exercisable} rules (${percent} %)`,
    Scope: partial ? "some checks only" : undefined,
  }).flatMap(([name, fact]) => (fact === undefined ? [] : html`<div><dt>${name}</dt><dd>${fact}</dd></div>`));
  const parts = Object.entries({
    Operations: tabledOperations(report).length > 0,
    Map: true,
    Failures: hasFailures,
    Next: (report.needs ?? []).length > 0 || report.beyond !== undefined,
    Rules: rules.length > 0,
    Checks: true,
    Coverage: coverage !== undefined,
  }).flatMap(([name, exists]) => (exists ? html`<a href="#${name.toLowerCase()}">${name}</a>` : []));
  return html`<header class="head">
<div class="top"><p>${commandOf(report)}</p><nav aria-label="Parts of this page">${parts}</nav></div>
<h1><span class="word ${word.toLowerCase().replaceAll(" ", "-")}">${word}</span> <span class="sentence">${sentence}</span></h1>
<dl class="facts">${facts}</dl>
<div class="totals">
${renderTotals(pluralize(rules.length, "rule"), tallyStates(rules))}
${renderTotals(pluralize(checks.length, "check"), tallyVerdicts(checks).reverse())}
</div>
</header>`;
}

function renderTotals(title: string, counts: readonly Tally<string>[]): Html {
  const legend = occurring(counts).map(
    ({ key, name, count }) => html`<li><span class="cell ${key}"></span><b>${countOf(count)}</b> ${name}</li>`,
  );
  return html`<div><h2>${title}</h2>${renderBar(counts)}<ul class="legend">${legend}</ul></div>`;
}

/** Renders the search field and the filters. They need scripts, so they stay hidden until the scripts run. */
export function renderToolbar({ checks }: PageModel): Html {
  const kinds = checkKinds.map((key) => {
    const count = checks.filter(({ kind }) => kind === key).length;
    return { key, name: `${key}s`, count };
  });
  return html`<form class="toolbar" id="toolbar" role="search" hidden>
<div class="search"><label for="search" class="aside">Search rules and checks</label><input id="search" type="search" placeholder="Search rules and checks" autocomplete="off" spellcheck="false"></div>
<div class="found"><output id="found" for="search"></output> <button type="button" id="reset" hidden>Show all</button></div>
<div class="chips" role="group" aria-label="Outcome">${renderChips("verdict", tallyVerdicts(checks))}</div>
<div class="chips" role="group" aria-label="Kind of check">${renderChips("kind", kinds)}</div>
</form>`;
}
