import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Schema } from "../../../src/contract/rest/document.js";
import { workflowName } from "../../../src/contract/rest/workflows.js";
import { describeType } from "../../../src/docs/describe-schema.js";
import { breakable, nothing, rawBlock, richText } from "../../../src/docs/fragment.js";
import { type Html, html } from "../../../src/report/html/html.js";
import { heading } from "../../html/section.js";
import { operationPage, type SiteSource, workflowPage } from "../site-source.js";

/** The part of `states.yaml` that the page shows. */
export interface StateCatalogue {
  readonly "x-callers": Readonly<Record<string, string>>;
  readonly "x-states": Readonly<Record<string, ProviderState>>;
  readonly "x-types": Readonly<Record<string, Schema>>;
}

interface ProviderState {
  readonly description: string;
  readonly optional?: true;
  readonly params?: Schema;
  readonly values?: Schema;
}

/** Reads the catalogue of the provider states. */
export function readStateCatalogue(): StateCatalogue {
  return parse(readFileSync(new URL("../../../generated/chat/states.yaml", import.meta.url), "utf8"));
}

/** The Markdown of the page of the provider states and callers. */
export function writeStatesPage({ cases, workflows }: SiteSource): string {
  const catalogue = readStateCatalogue();
  const callers = Object.entries({
    ...catalogue["x-callers"],
    nobody: "Sends no credentials.",
    stranger: "Sends credentials that no server knows.",
  }).map(([name, text]) => html`<tr><th scope="row"><code>${name}</code></th><td>${richText(text)}</td></tr>`);
  const states = Object.entries(catalogue["x-states"]).map(([name, state]) => {
    const using = [
      ...cases
        .filter(({ given }) => given.some((one) => one.state === name))
        .map(
          ({ operationId, name: id }) =>
            html`<a class="check" href="${operationPage(operationId)}#case-${id}"><span>case</span> ${operationId} ${id}</a> `,
        ),
      ...workflows
        .filter(({ steps }) => steps.some((step) => step.kind === "state" && step.state === name))
        .map(
          (workflow) =>
            html`<a class="check" href="${workflowPage(workflow.operation)}#workflow-${workflowName(workflow)}"><span>workflow</span> ${workflowName(workflow)}</a> `,
        ),
    ];
    return html`<section>${heading("h3", `state-${name}`, name)}${richText(state.description)}${state.optional ? html`<p>A server may lack it.</p>` : nothing}
${fields("Parameters", catalogue, state.params)}${fields("Values", catalogue, state.values)}
<div class="rule-checks"><details><summary>Used by ${using.length} checks</summary>${using}</details></div></section>`;
  });
  return `---
title: Provider states
---

# Provider states

${rawBlock(html`<p>To be verified, a server takes <code>POST /states</code>, which puts it into the state that a check needs. Each check has an organization of its own.</p>
${heading("h2", "callers", "Callers")}<table class="fields"><tbody>${callers}</tbody></table>
${heading("h2", "states", "States")}${states}`)}`;
}

/** A table of the properties of a schema. References point to the shared types of the catalogue. */
function fields(title: string, catalogue: StateCatalogue, schema: Schema | undefined): Html {
  const rows = propertiesOf(schema).map(([path, property]) => {
    const type =
      property.$ref === undefined
        ? describeType({ openapi: "" } as never, withoutReferences(property))
        : (property.$ref.split("/").at(-1) ?? "");
    const shared = property.$ref === undefined ? undefined : catalogue["x-types"][type]?.description;
    return html`<tr><th scope="row"><code>${breakable(path)}</code></th><td><span class="type">${type}</span>${richText(property.description ?? shared)}</td></tr>`;
  });
  return rows.length === 0
    ? nothing
    : html`<p class="table-title">${title}</p><table class="fields"><tbody>${rows}</tbody></table>`;
}

function propertiesOf(schema: Schema | undefined, prefix = ""): [string, Schema][] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    return [[path, property], ...propertiesOf(property, `${path}.`)];
  });
}

/** A schema with the names of referenced types instead of the types. */
function withoutReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const isReference = typeof value === "object" && value !== null && typeof value.$ref === "string";
    return isReference ? { type: value.$ref.split("/").at(-1) } : value;
  });
}
