import type { ContractDocument, OperationObject } from "../../src/contract/chat/document.js";
import { featureLevelOf } from "../../src/contract/chat/feature-level.js";
import { type ListedOperation, listOperations } from "../../src/contract/chat/operations.js";
import { type Html, html } from "../../src/verify/report/html/html.js";
import { nothing, rawBlock, richText } from "../html/fragment.js";
import { heading } from "../html/section.js";
import { includesLevel, rangesWhere } from "../levels/level-ranges.js";
import { levelAttributes, mergeLevels, rangesOf, renderPieces } from "../levels/levelled.js";
import { caseSection } from "./case-list.js";
import { showRules } from "./chat-rules.js";
import { levelNotes } from "./level-notes.js";
import { parameterRows } from "./operation-fields.js";
import { responseSection } from "./operation-responses.js";
import { renderRules } from "./rule-list.js";
import type { SiteSource } from "./site-source.js";

/** The Markdown of the page of an operation. */
export async function writeOperationPage(source: SiteSource, listed: ListedOperation): Promise<string> {
  const { operationId, summary } = listed.operation;
  const at = (level: number) => findOperation(source.views.at(level), operationId);
  const parts = [
    parameters(source, at),
    responseSection(source, at),
    rules(source, listed, at),
    await caseSection(source, operationId),
  ];
  return `---
title: ${JSON.stringify(summary)}
description: ${JSON.stringify(`${listed.method.toUpperCase()} ${listed.path}`)}
levels: true
operation: ${operationId}
---

# ${summary}

${rawBlock(head(source, listed, at))}
<TryIt operation="${operationId}" />

${rawBlock(html`${parts}`)}`;
}

/** The operation at a level. */
export type OperationAt = (level: number) => OperationObject | undefined;

function findOperation(document: ContractDocument, operationId: string): OperationObject | undefined {
  return listOperations(document).find(({ operation }) => operation.operationId === operationId)?.operation;
}

function head({ views }: SiteSource, { method, path }: ListedOperation, at: OperationAt): Html {
  const present = rangesWhere(views.levels, (level) => at(level) !== undefined);
  const absent = rangesWhere(views.levels, (level) => !includesLevel(present, level));
  const pieces = mergeLevels(views, (level) => {
    const operation = at(level);
    if (operation === undefined) return [];
    const { operationId, description, deprecated } = operation;
    const levels = featureLevelOf(operation);
    const flag =
      deprecated && levels?.deprecated === undefined ? html`<span class="level deprecated">deprecated</span>` : "";
    const content = html`<p class="names"><code>${operationId}</code> <code>${operation["x-feature"]}</code> ${flag}</p>${richText(description)}<p class="notes">${levelNotes(levels, level)}</p>`;
    return [{ key: "head", content }];
  });
  const missing =
    absent.length === 0
      ? nothing
      : html`<p class="missing"${levelAttributes(views, absent)}>A server of this level does not have this operation.</p>`;
  return html`<p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${missing}${renderPieces(views, pieces, { tag: "div" })}`;
}

function parameters({ views }: SiteSource, at: OperationAt): Html {
  const pieces = mergeLevels(views, (level) => {
    const operation = at(level);
    return operation === undefined ? [] : parameterRows(views.at(level), operation, level);
  });
  if (pieces.length === 0) return nothing;
  const rows = renderPieces(views, pieces, { tag: "tr", idOf: (key) => `parameter-${key}` });
  return html`<section${levelAttributes(views, rangesOf(views, pieces))}>
${heading("h2", "parameters", "Parameters")}
<table class="fields"><tbody>${rows}</tbody></table>
</section>`;
}

function rules(source: SiteSource, { operation }: ListedOperation, at: OperationAt): Html {
  const listed = operation["x-rules"] ?? [];
  const holding = new Map(
    source.views.levels.map((level) => [level, new Set((at(level)?.["x-rules"] ?? []).map(({ id }) => id))]),
  );
  const shown = showRules(source, listed, (id, level) => holding.get(level)?.has(id) ?? false);
  return html`<section>
${heading("h2", "rules", "Rules")}
${renderRules(shown)}
</section>`;
}
