import { type Html, html } from "../../../src/report/html/html.js";
import { groupBy } from "../../../src/text/group-by.js";
import { rawBlock, richLine } from "../../html/fragment.js";
import { heading } from "../../html/section.js";
import {
  type AllFaultTables,
  type FaultRow,
  type FaultTables,
  readFaultTexts,
  type ToolVerdict,
} from "./fault-tables.js";

/** The Markdown of the map of faults, from the text of `docs/faults.md` and the verdicts. */
export function writeFaultsPage(page: string, { chat, daemon }: AllFaultTables): string {
  const { intro, method } = readFaultTexts(page);
  return `---
title: Faults
aside: false
---

# Faults

${intro}

${rawBlock(html`${renderService("chat", "Chat", ["faults-1", "variations"], chat)}${renderService("daemon", "Daemon", ["faults-2", "variations-1"], daemon)}`)}

## Method

${method}
`;
}

/** `anchors` are the anchors of the headings in the guide, so that links to the guide lead to the right part of the map. */
function renderService(
  service: string,
  title: string,
  [listAnchor, variationsAnchor]: readonly [string, string],
  { tools, faults, variations }: FaultTables,
): Html {
  const families = [...groupBy(faults, ({ family = "" }) => family)];
  const rows = families.map(
    ([family, own]) =>
      html`<tr><th scope="row"><a href="#${anchorOf(service, family)}">${family}</a></th><td class="count">${own.length}</td>${shares(own, tools)}</tr>`,
  );
  const details = families.map(([family, own]) => renderGroup(service, anchorOf(service, family), family, own, tools));
  return html`<section class="faults-map">${heading("h2", service, title)}
<div class="scroll" tabindex="0" role="region" aria-label="${title}: faults caught by family"><table><caption>Share of the faults that each tool caught</caption>
<thead><tr><th scope="col">Family</th><th scope="col">Faults</th>${tools.map((tool) => html`<th scope="col">${tool}</th>`)}</tr></thead>
<tbody>${rows}<tr class="all"><th scope="row">All</th><td class="count">${faults.length}</td>${shares(faults, tools)}</tr>
<tr class="all"><th scope="row"><a href="#${variationsAnchor}">False alarms</a></th><td class="count">${variations.length}</td>${falseAlarms(variations, tools)}</tr></tbody></table></div>
<div id="${listAnchor}">${details}</div>
${renderGroup(service, variationsAnchor, `${title}: variations that keep the contract`, variations, tools)}</section>`;
}

function anchorOf(service: string, family: string): string {
  return `${service}-${family.toLowerCase().replace(/[^a-z\d]+/g, "-")}`;
}

function shares(rows: readonly FaultRow[], tools: readonly string[]): Html[] {
  return tools.map((_, index) => {
    const { measured, reported } = countReports(rows, index);
    if (measured === 0) return html`<td class="unmeasured">not run</td>`;
    const percent = Math.floor((reported / measured) * 100);
    return html`<td><b>${percent} %</b> <small>${reported} of ${measured}</small></td>`;
  });
}

function falseAlarms(rows: readonly FaultRow[], tools: readonly string[]): Html[] {
  return tools.map((_, index) => {
    const { measured, reported } = countReports(rows, index);
    return measured === 0
      ? html`<td class="unmeasured">not run</td>`
      : html`<td><b>${reported}</b> <small>of ${measured}</small></td>`;
  });
}

function countReports(
  rows: readonly FaultRow[],
  index: number,
): { readonly measured: number; readonly reported: number } {
  const verdicts = rows.map((row) => row.verdicts[index]);
  return {
    measured: verdicts.filter((verdict) => verdict !== "unmeasured").length,
    reported: verdicts.filter((verdict) => verdict === "reported").length,
  };
}

function renderGroup(
  service: string,
  anchor: string,
  title: string,
  rows: readonly FaultRow[],
  tools: readonly string[],
): Html {
  return html`<details class="faults" id="${anchor}"><summary><b>${title}</b> <span>${rows.length}</span></summary>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr><th scope="col">A server that</th>${tools.map((tool) => html`<th scope="col">${tool}</th>`)}</tr></thead>
<tbody>${rows.map((row) => renderRow(service, row))}</tbody></table></div></details>`;
}

function renderRow(service: string, { name, summary, family, verdicts }: FaultRow): Html {
  const isFault = family !== undefined;
  return html`<tr id="${service}-fault-${name}"><th scope="row">${richLine(summary)} <a class="fault-name" href="#${service}-fault-${name}"><code>${name}</code></a></th>${verdicts.map((verdict) => renderVerdict(verdict, isFault))}</tr>`;
}

function renderVerdict(verdict: ToolVerdict, isFault: boolean): Html {
  switch (verdict) {
    case "reported":
      return html`<td class="${isFault ? "good" : "bad"}"><span aria-hidden="true">●</span> ${isFault ? "caught" : "reported"}</td>`;
    case "silent":
      return html`<td class="${isFault ? "bad" : "good"}"><span aria-hidden="true">○</span> ${isFault ? "missed" : "silent"}</td>`;
    case "unmeasured":
      return html`<td class="unmeasured">not run</td>`;
  }
}
