import { nothing, rawBlock } from "../../../src/docs/fragment.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { heading } from "../../html/section.js";
import { includesLevel, rangesWhere } from "../../levels/level-ranges.js";
import { levelAttributes, rangesOf, renderPieces } from "../../levels/levelled.js";
import type { OperationParts } from "../../parts/operation-parts.js";
import { renderRules } from "../rule-list.js";
import type { SiteSource } from "../site-source.js";
import { caseSection } from "./case-list.js";
import { showRules } from "./chat-rules.js";
import { responseSection } from "./operation-responses.js";

/** The Markdown of the page of an operation. */
export async function writeOperationPage(source: SiteSource, parts: OperationParts): Promise<string> {
  const { operationId, summary } = parts.operation;
  const sections = [
    parameterSection(source, parts),
    responseSection(source, parts),
    ruleSection(source, parts),
    await caseSection(source, operationId),
  ];
  return `---
title: ${JSON.stringify(summary)}
description: ${JSON.stringify(`${parts.method.toUpperCase()} ${parts.path}`)}
levels: true
operation: ${operationId}
---

# ${summary}

${rawBlock(head(source, parts))}
<TryIt operation="${operationId}" />

${rawBlock(html`${sections}`)}`;
}

function head({ views }: SiteSource, { method, path, present, head: pieces }: OperationParts): Html {
  const absent = rangesWhere(views.levels, (level) => !includesLevel(present, level));
  const missing =
    absent.length === 0
      ? nothing
      : html`<p class="missing"${levelAttributes(views, absent)}>A server of this level does not have this operation.</p>`;
  return html`<p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${missing}${renderPieces(views, pieces, { tag: "div" })}`;
}

function parameterSection({ views }: SiteSource, { parameters }: OperationParts): Html {
  if (parameters.length === 0) return nothing;
  const rows = renderPieces(views, parameters, { tag: "tr", idOf: (key) => `parameter-${key}` });
  return html`<section${levelAttributes(views, rangesOf(views, parameters))}>
${heading("h2", "parameters", "Parameters")}
<table class="fields"><tbody>${rows}</tbody></table>
</section>`;
}

function ruleSection(source: SiteSource, { operation, present, ruleHoldsAt }: OperationParts): Html {
  const shown = showRules(source, operation["x-rules"] ?? [], ruleHoldsAt);
  return html`<section${levelAttributes(source.views, present)}>
${heading("h2", "rules", "Rules")}
${renderRules(shown)}
</section>`;
}
