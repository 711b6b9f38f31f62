import type { ReadWorkflow } from "../../../src/contract/chat/workflows.js";
import { type Html, html } from "../../../src/verify/report/html/html.js";
import { join, nothing, rawBlock } from "../../html/fragment.js";
import { titleOf } from "../../html/title.js";
import { rangesWhere } from "../../levels/level-ranges.js";
import { levelAttributes } from "../../levels/levelled.js";
import { operationPage, type SiteSource } from "../site-source.js";
import { callersOf, diagramSteps } from "./diagram-steps.js";
import { sequenceSvg } from "./sequence-svg.js";

/** The pages of the workflows: one for each resource, and a list. */
export function workflowPages(source: SiteSource): ReadonlyMap<string, string> {
  const resources = [...new Set(source.workflows.map(({ resource }) => resource))];
  return new Map([
    ["workflows/index.md", indexPage(source, resources)],
    ...resources.map((resource) => [`workflows/${resource}.md`, resourcePage(source, resource)] as const),
  ]);
}

function resourcePage(source: SiteSource, resource: string): string {
  const own = source.workflows.filter((workflow) => workflow.resource === resource);
  return `---
title: "Workflows: ${titleOf(resource)}"
levels: true
aside: false
---

# ${titleOf(resource)}

${rawBlock(html`<p>Each workflow is a sequence of calls that checks the rules at its steps. The values that a step gives are sent by later ones, as <code>{name}</code>.</p>${own.map((workflow) => renderWorkflow(source, workflow))}`)}`;
}

function renderWorkflow({ views, workflowsAt, pageOfRule }: SiteSource, workflow: ReadWorkflow): Html {
  const { workflowId, summary, rules } = workflow;
  const ranges = rangesWhere(views.levels, (level) => workflowsAt(level).has(workflowId));
  const steps = diagramSteps(workflow);
  const rule = (id: string) => `../${pageOfRule.get(id) ?? ""}#rule-${id}`;
  const links = { rule, operation: (operationId: string) => `../${operationPage(operationId)}` };
  const shown = rules.map((id) => html`<a href="${rule(id)}"><code>${id}</code></a>`);
  return html`<details class="workflow"${levelAttributes(views, ranges, `workflow-${workflowId}`)}><summary><span class="case-summary">${summary}</span> <code class="case-name">${workflowId}</code></summary>
<div class="case-body"><p>Shows ${join(shown, ", ")}.</p>
<div class="drawing" tabindex="0" role="region" aria-label="Diagram of ${workflowId}">${sequenceSvg(summary, callersOf(steps), steps, links)}</div></div>
</details>`;
}

function indexPage({ workflows }: SiteSource, resources: readonly string[]): string {
  const lists = resources.map((resource) => {
    const own = workflows.filter((workflow) => workflow.resource === resource);
    const items = own.map(
      ({ workflowId, summary }) => html`<li><a href="./${resource}.html#workflow-${workflowId}">${summary}</a></li>`,
    );
    return html`<h2 id="${resource}"><a href="./${resource}.html">${titleOf(resource)}</a></h2><ul>${items}</ul>`;
  });
  return `---\ntitle: Workflows\n---\n\n# Workflows\n\n${rawBlock(html`<p>A rule that one call cannot show is shown by a sequence of calls.</p>${lists.length === 0 ? nothing : lists}`)}`;
}
