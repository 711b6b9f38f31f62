import { listOperations } from "../../../src/contract/rest/operations.js";
import { rawBlock, richLine } from "../../../src/docs/fragment.js";
import { html } from "../../../src/report/html/html.js";
import { groupBy } from "../../../src/text/group-by.js";
import { heading } from "../../html/section.js";
import { titleOf } from "../../html/title.js";
import { rangesWhere } from "../../levels/level-ranges.js";
import { levelAttributes } from "../../levels/levelled.js";
import { renderRules } from "../rule-list.js";
import type { SiteSource } from "../site-source.js";
import { showRules } from "./chat-rules.js";

/** The Markdown of the list of operations, grouped by their tags. */
export function writeChatIndexPage({ views }: SiteSource): string {
  const { whole } = views;
  const operations = listOperations(whole);
  const tags = whole.tags as readonly { readonly name: string; readonly description?: string }[];
  const groups = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation: { operationId, summary } }) => {
        const ranges = rangesWhere(views.levels, (level) =>
          listOperations(views.at(level)).some(({ operation }) => operation.operationId === operationId),
        );
        return html`<li${levelAttributes(views, ranges)}><a href="./${operationId}.html">${summary}</a> <span class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></span></li>`;
      });
    return html`${heading("h2", `tag-${name}`, titleOf(name))}<p>${richLine(description)}</p><ul class="operations">${rows}</ul>`;
  });
  return `---
title: Operations
levels: true
---

# Operations

${rawBlock(html`<p><a href="./conventions.html">Conventions of all operations</a>: encoding, authentication, errors, limits, versions.</p>${groups}`)}`;
}

/** The Markdown of the rules that are not specific to one operation. */
export function writeConventionsPage(source: SiteSource): string {
  const { whole } = source.views;
  const groups = groupBy(whole["x-rules"] ?? [], ({ id }) => id.split(".")[0] ?? "");
  const holding = new Map(
    source.views.levels.map((level) => [level, new Set((source.views.at(level)["x-rules"] ?? []).map(({ id }) => id))]),
  );
  const parts = [...groups].map(([name, rules]) => {
    const shown = showRules(source, rules, (id, level) => holding.get(level)?.has(id) ?? false);
    return html`<section>${heading("h2", `rules-${name}`, titleOf(name))}${renderRules(shown)}</section>`;
  });
  return `---
title: Conventions
levels: true
---

# Conventions

The rules of all operations.

${rawBlock(html`${parts}`)}`;
}
