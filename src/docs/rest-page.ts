import { callerName } from "../contract/calls.js";
import { type Case, listCases } from "../contract/rest/cases.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../contract/rest/document.js";
import { exampleCases } from "../contract/rest/example-cases.js";
import { type ListedOperation, listOperations, parameterSchema, parametersOf } from "../contract/rest/operations.js";
import type { RestContract } from "../contract/rest/rest-contract.js";
import { loginOf } from "../contract/rest/security.js";
import { type Workflow, workflowName } from "../contract/rest/workflows.js";
import { type Html, html } from "../report/html/html.js";
import { join, nothing, richLine, richText } from "./fragment.js";
import { anchorOf, type DocsPage, type Entry, type Section } from "./page.js";
import { renderStep, type StepLinks } from "./render-step.js";
import { linkRule, renderJson, renderRules } from "./rules.js";
import { listRows, renderRows, renderType } from "./schema-table.js";

/** The documentation of a contract in OpenAPI. */
export function restPage({ document, workflows, states, hasExamples = false }: RestContract): DocsPage {
  const written = listCases(document);
  const cases = hasExamples ? [...written, ...exampleCases(document, written)] : written;
  const general = document["x-rules"] ?? [];
  const entriesOf = (title: string, list: readonly Entry[]): Section => ({ title, entries: list });
  return {
    title: document.info.title,
    version: document.info.version,
    description: document.info.description as string | undefined,
    sections: [
      ...operationSections(document, cases),
      entriesOf(
        "Rules of no single operation",
        general.length === 0 ? [] : [{ anchor: "rules", title: html`Rules`, content: renderRules(general) }],
      ),
      entriesOf("Workflows", workflows.map(workflowEntry)),
      entriesOf(
        "Provider states",
        Object.entries(states["x-states"]).map(([name, { description, params, values }]) => ({
          anchor: anchorOf("state", name),
          title: html`<code>${name}</code>`,
          content: html`${richText(description)}${renderRows(
            document,
            [params, values].flatMap((one) => listRows(document, one ?? {})),
          )}`,
        })),
      ),
      entriesOf(
        "Schemas",
        Object.entries(document.components.schemas ?? {}).map((one) => schemaEntry(document, ...one)),
      ),
    ],
  };
}

function operationSections(document: ContractDocument, cases: readonly Case[]): Section[] {
  const groups = new Map<string, ListedOperation[]>();
  for (const listed of listOperations(document)) {
    const [tag = "Operations"] = listed.operation.tags ?? [];
    groups.set(tag, [...(groups.get(tag) ?? []), listed]);
  }
  return [...groups].map(([title, operations]) => ({
    title,
    entries: operations.map((one) =>
      operationEntry(
        document,
        one,
        cases.filter(({ operationId }) => operationId === one.operation.operationId),
      ),
    ),
  }));
}

function operationEntry(document: ContractDocument, listed: ListedOperation, cases: readonly Case[]): Entry {
  const { path, method, operation } = listed;
  const { operationId, summary, description, deprecated } = operation;
  const { alternatives, isRequired } = loginOf(document, operation);
  const login = alternatives.map((schemes) => schemes.map(({ id }) => id).join(" and ")).join(", or ");
  const parameters = parametersOf(document, operation).map((parameter) => ({
    name: parameter.name,
    schema: parameterSchema(parameter),
    isRequired: parameter.required === true,
    place: parameter.in,
    description: parameter.description,
    isDeprecated: parameter.deprecated === true,
  }));
  return {
    anchor: anchorOf("operation", operationId),
    title: html`<span class="method">${method.toUpperCase()}</span> <code>${path}</code>`,
    content: html`<p><code>${operationId}</code>${deprecated ? html` <span class="deprecated">deprecated</span>` : ""} ${richLine(summary)}</p>${richText(description)}
${login === "" ? "" : html`<p class="source">Credentials: ${login}${isRequired ? "" : ", or none"}</p>`}
${parameters.length === 0 ? "" : html`<h4>Parameters</h4>${renderRows(document, parameters)}`}
${renderBody(document, operation)}
<h4>Responses</h4>${Object.entries(operation.responses ?? {}).map(([status, given]) => renderResponse(document, status, resolve<ResponseObject>(document, given)))}
${renderRules(operation["x-rules"] ?? [])}
${cases.length === 0 ? "" : html`<h4>Cases</h4>${cases.map(renderCase)}`}`,
  };
}

function renderBody(document: ContractDocument, { requestBody }: OperationObject): Html {
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) =>
      html`<h4>Body <code>${type}</code>${requestBody?.required ? html` <span class="required">required</span>` : ""}</h4>${renderSchema(document, schema)}`,
  );
  return html`${bodies}`;
}

function renderSchema(document: ContractDocument, schema: Schema | undefined): Html {
  if (schema === undefined) return nothing;
  return html`<p class="type">${renderType(document, schema)}</p>${renderRows(document, listRows(document, schema))}`;
}

function renderResponse(document: ContractDocument, status: string, response: ResponseObject): Html {
  const { description, content = {}, headers = {} } = response;
  const types = Object.entries(content).map(
    ([type, { schema }]) =>
      html`<p><code>${type}</code> ${schema === undefined ? "" : renderType(document, schema)}</p>${schema?.$ref === undefined ? renderRows(document, listRows(document, schema ?? {})) : ""}`,
  );
  const names = Object.keys(headers);
  const kind = /^[23]/.test(status) ? "good" : "bad";
  return html`<details class="case"><summary><b class="${kind}">${status}</b> ${richLine(description)}</summary>${types}${
    names.length === 0
      ? ""
      : html`<p>Headers: ${join(
          names.map((name) => html`<code>${name}</code>`),
          ", ",
        )}</p>`
  }</details>`;
}

function renderCase({ operationId, name, summary, rule, also, as, given, request, response }: Case): Html {
  const { path, query, header, body } = request;
  const sent = Object.fromEntries(
    Object.entries({ path, query, header, body }).filter(([, values]) => Object.keys(values ?? {}).length > 0),
  );
  const states = given.map(({ state }) => html`<a href="#${anchorOf("state", state)}">${state}</a>`);
  return html`<details class="case" id="${anchorOf("case", `${operationId}-${name}`)}"><summary><b class="${response.status < 400 ? "good" : "bad"}">${response.status}</b> ${summary} <code>${name}</code></summary>
<p>Sent by ${callerName(as)}${states.length === 0 ? "" : html`, given ${join(states, ", ")}`}. Shows ${join([rule, ...also].map(linkRule), ", ")}.</p>
${Object.keys(sent).length === 0 ? "" : renderJson("Request", sent)}${renderJson("Response", response.body)}</details>`;
}

const links: StepLinks = {
  toRule: linkRule,
  operationAt: (id) => `#${anchorOf("operation", id)}`,
  stateAt: (state) => `#${anchorOf("state", state)}`,
};

function workflowEntry(workflow: Workflow): Entry {
  const name = workflowName(workflow);
  return {
    anchor: anchorOf("workflow", name),
    title: html`${workflow.summary} <code>${name}</code>`,
    isFolded: true,
    content: html`<p>Shows ${join(workflow.rules.map(linkRule), ", ")}.</p><ol class="steps">${workflow.steps.map((step) => renderStep(step, links))}</ol>`,
  };
}

function schemaEntry(document: ContractDocument, name: string, schema: Schema): Entry {
  return {
    anchor: anchorOf("schema", name),
    title: html`<code>${name}</code>`,
    isFolded: true,
    content: html`${richText(resolve<Schema>(document, schema).description)}${renderSchema(document, schema)}`,
  };
}
