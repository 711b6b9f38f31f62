import { pageScript } from "../../../generated/verify/page-script.js";
import { countOf, formatDuration, pluralize } from "../../text/format-values.js";
import { visibleLine } from "../../text/visible-text.js";
import { commandOf } from "../model/describe.js";
import { describeDisturbances } from "../model/disturbances.js";
import { type AnyReport, modelOf } from "../model/to-json-report.js";
import { type Tally, tallyStates, tallyVerdicts } from "../model/verdict.js";
import { type Html, html } from "./html.js";
import { type PageModel, toPageModel } from "./page-model.js";
import { pagePolicy } from "./page-policy.js";
import { pageStyle } from "./page-style.js";
import { renderChips, renderTallies } from "./parts.js";
import { renderFindings } from "./render-findings.js";
import {
  renderChecks,
  renderCoverage,
  renderLeft,
  renderNext,
  renderOperations,
  renderRuleList,
} from "./render-lists.js";

/**
 * Formats the result of a verification as one self-contained HTML page. Its content security policy allows no requests, and only its own
 * style and script. The page is readable without scripts; with them, it can be searched and filtered.
 */
export function formatHtml(given: AnyReport): string {
  const report = modelOf(given);
  const model = toPageModel(report);
  const operations = renderOperations(model);
  const sections: readonly (readonly [name: string, content: Html | undefined])[] = [
    ["Failures", renderFindings(model)],
    ["Next", renderNext(model)],
    ["Rules", renderRuleList(model)],
    ["Checks", renderChecks(model)],
    ["Coverage", renderCoverage(model)],
  ];
  const links = [["Operations", operations] as const, ...sections].flatMap(([name, content]) =>
    content === undefined ? [] : html`<a href="#${name.toLowerCase()}">${name}</a>`,
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(pageStyle, pageScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${report.verdict.word}: ${report.contract} at ${visibleLine(report.target)}</title>
<link rel="icon" href="data:,">
<style>${{ markup: pageStyle }}</style>
</head>
<body>
${renderHead(model, links)}
${operations}
${renderToolbar(model)}
<main>
<p class="nothing" id="nothing" hidden>Nothing found.</p>
${sections.map(([, content]) => html`${content}\n`)}</main>
<script>${{ markup: pageScript }}</script>
</body>
</html>
`;
  return page.markup;
}

/** The verdict, the facts of the run, and the counts of rules and checks. */
function renderHead(model: PageModel, links: readonly Html[]): Html {
  const { report, rules } = model;
  const { contract, version, target, level, seed, partial, startedAt, durationMs, checks } = report;
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
    Disturbances: describeDisturbances(report).join(". ") || undefined,
  }).flatMap(([name, fact]) => (fact === undefined ? [] : html`<div><dt>${name}</dt><dd>${fact}</dd></div>`));
  return html`<header class="head">
<div class="top"><p>${commandOf(report)}</p><nav aria-label="Parts of this page">${links}</nav></div>
<h1><span class="word ${word.toLowerCase().replaceAll(" ", "-")}">${word}</span> <span class="sentence">${sentence}</span></h1>
${renderLeft(model)}
<dl class="facts">${facts}</dl>
<div class="totals">
${renderTotals(pluralize(rules.size, "rule"), tallyStates([...rules.values()]))}
${renderTotals(pluralize(checks.length, "check"), tallyVerdicts(checks).reverse())}
</div>
</header>`;
}

function renderTotals(title: string, tallies: readonly Tally<string>[]): Html {
  const legend = renderTallies(
    tallies,
    ({ key, name, count }) => html`<li><span class="cell ${key}"></span><b>${countOf(count)}</b> ${name}</li>`,
  );
  return html`<div><h2>${title}</h2><ul class="legend">${legend}</ul></div>`;
}

/** The search field and the filters. They need scripts, so they stay hidden until the scripts run. */
function renderToolbar({ report: { checks } }: PageModel): Html {
  return html`<form class="toolbar" id="toolbar" role="search" hidden>
<div class="search"><label for="search" class="aside">Search rules and checks</label><input id="search" type="search" placeholder="Search rules and checks" autocomplete="off" spellcheck="false"></div>
<div class="found"><output id="found" for="search"></output> <button type="button" id="reset" hidden>Show all</button></div>
<div class="chips" role="group" aria-label="Outcome">${renderChips("verdict", tallyVerdicts(checks))}</div>
</form>`;
}
