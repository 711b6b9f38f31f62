import type { ReadWorkflow } from "../../../src/contract/chat/workflows.js";
import { type Html, html } from "../../../src/verify/report/html/html.js";
import { breakable, join, nothing, rawBlock } from "../../html/fragment.js";
import { titleOf } from "../../html/title.js";
import { rangesWhere } from "../../levels/level-ranges.js";
import { levelAttributes } from "../../levels/levelled.js";
import { operationPage, type SiteSource } from "../site-source.js";
import { type ShownStep, workflowSteps } from "./workflow-steps.js";

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
  const linkTo = (id: string) => html`<a href="../${pageOfRule.get(id) ?? ""}#rule-${id}"><code>${id}</code></a>`;
  const steps = workflowSteps(workflow).map((step) => renderStep(step, linkTo));
  return html`<details class="workflow"${levelAttributes(views, ranges, `workflow-${workflowId}`)}><summary><span class="case-summary">${summary}</span> <code class="case-name">${workflowId}</code></summary>
<div class="case-body"><p>Shows ${join(rules.map(linkTo), ", ")}.</p>
<ol class="steps">${steps}</ol></div>
</details>`;
}

/** Renders a provider state, or a call with what the response must be, which values later steps use, and which rules it shows. */
function renderStep(step: ShownStep, linkTo: (id: string) => Html): Html {
  const { kind, caller, name, sent, status, expected, values, rules } = step;
  const code = (text: string) => html`<code>${breakable(text)}</code>`;
  const codes = (texts: readonly string[]) => join(texts.map(code), ", ");
  const head =
    kind === "state"
      ? html`given <a href="../states.html#state-${name}">${code(name)}</a>`
      : html`<b>${caller}</b> calls <a href="../${operationPage(name)}">${code(name)}</a>`;
  const parts = [
    join([head, ...(sent.length === 0 ? [] : [codes(sent)])], " with "),
    ...(kind === "state" ? [] : [html`expects ${codes([status, ...expected])}`]),
    ...(values.length === 0 ? [] : [html`gives ${codes(values)}`]),
    ...(rules.length === 0 ? [] : [html`shows ${join(rules.map(linkTo), ", ")}`]),
  ];
  return html`<li>${join(parts, "; ")}</li>`;
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
