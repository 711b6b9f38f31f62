import { type Workflow, workflowName } from "../../../src/contract/rest/workflows.js";
import { join, nothing, rawBlock } from "../../../src/docs/fragment.js";
import { renderStep, type StepLinks } from "../../../src/docs/render-step.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { titleOf } from "../../html/title.js";
import { rangesWhere } from "../../levels/level-ranges.js";
import { levelAttributes } from "../../levels/levelled.js";
import { operationPage, type SiteSource } from "../site-source.js";

/** The pages of the workflows: one for each resource, and a list. */
export function workflowPages(source: SiteSource): ReadonlyMap<string, string> {
  const resources = [...new Set(source.workflows.map(({ operation }) => operation))];
  return new Map([
    ["workflows/index.md", indexPage(source, resources)],
    ...resources.map((resource) => [`workflows/${resource}.md`, resourcePage(source, resource)] as const),
  ]);
}

function resourcePage(source: SiteSource, resource: string): string {
  const own = source.workflows.filter(({ operation }) => operation === resource);
  return `---
title: "Workflows: ${titleOf(resource)}"
levels: true
aside: false
---

# ${titleOf(resource)}

${rawBlock(html`<p>Each workflow is a sequence of calls that checks the rules at its steps. The values that a step gives are sent by later ones, as <code>{step.name}</code>.</p>${own.map((workflow) => renderWorkflow(source, workflow))}`)}`;
}

function renderWorkflow({ views, workflowsAt, pageOfRule }: SiteSource, workflow: Workflow): Html {
  const { summary, rules, steps } = workflow;
  const name = workflowName(workflow);
  const ranges = rangesWhere(views.levels, (level) => workflowsAt(level).has(name));
  const links: StepLinks = {
    toRule: (id) => html`<a href="../${pageOfRule.get(id) ?? ""}#rule-${id}"><code>${id}</code></a>`,
    operationAt: (id) => `../${operationPage(id)}`,
    stateAt: (state) => `../states.html#state-${state}`,
  };
  return html`<details class="workflow"${levelAttributes(views, ranges, `workflow-${name}`)}><summary><span class="case-summary">${summary}</span> <code class="case-name">${name}</code></summary>
<div class="case-body"><p>Shows ${join(rules.map(links.toRule), ", ")}.</p>
<ol class="steps">${steps.map((step) => renderStep(step, links))}</ol></div>
</details>`;
}

function indexPage({ workflows }: SiteSource, resources: readonly string[]): string {
  const lists = resources.map((resource) => {
    const own = workflows.filter(({ operation }) => operation === resource);
    const items = own.map(
      (workflow) =>
        html`<li><a href="./${resource}.html#workflow-${workflowName(workflow)}">${workflow.summary}</a></li>`,
    );
    return html`<h2 id="${resource}"><a href="./${resource}.html">${titleOf(resource)}</a></h2><ul>${items}</ul>`;
  });
  return `---\ntitle: Workflows\n---\n\n# Workflows\n\n${rawBlock(html`<p>A rule that one call cannot show is shown by a sequence of calls.</p>${lists.length === 0 ? nothing : lists}`)}`;
}
