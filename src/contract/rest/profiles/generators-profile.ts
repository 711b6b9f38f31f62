import type { ContractDocument, MediaTypeObject, ParameterObject, ResponseObject, Schema } from "../document.js";
import { methods, resolve } from "../document.js";
import { withoutUnusedComponents } from "../level/without-unused-components.js";
import { mapNodes, withoutExtensions } from "../map-nodes.js";
import { listOperations, parametersOf } from "../operations.js";
import { toOpenApi30 } from "./to-openapi-30.js";

/**
 * The contract for client generators, as OpenAPI 3.0, which they all read.
 *
 * - A form field or query parameter that holds JSON is a string, because generators do not encode it; its description says so.
 * - A response lists only documented error codes, so that comparing `code` narrows the type. Errors of other statuses are omitted.
 * - Open objects have no index signature: it hides misspelt fields, and conflicts with optional ones.
 * - Operations that begin a protocol of their own are omitted; a library of that protocol sends them.
 */
export function generatorsProfile(document: ContractDocument): object {
  const profile = structuredClone(document);
  for (const [path, item] of Object.entries(profile.paths)) {
    for (const method of methods) if (item[method]?.["x-protocol"] !== undefined) delete item[method];
    if (Object.keys(item).length === 0) delete profile.paths[path];
  }
  for (const { operation } of listOperations(profile)) {
    if (operation.parameters) operation.parameters = parametersOf(profile, operation).map(textParameter);
    const forms = operation.requestBody?.content ?? {};
    for (const [type, media] of Object.entries(forms)) forms[type] = textForm(profile, media);
    delete operation.responses.default;
    for (const response of Object.values(operation.responses)) {
      if (!("$ref" in response)) keepDocumentedErrors(profile, response);
    }
  }
  for (const response of Object.values(profile.components.responses ?? {})) keepDocumentedErrors(profile, response);
  for (const { properties } of Object.values(profile.components.schemas)) delete properties?.code?.anyOf;
  profile.servers = profile.servers.map(withDefaults);
  return withoutUnusedComponents(
    toOpenApi30(withoutExtensions(mapNodes(profile, withoutIndexSignature) as ContractDocument)),
  );
}

function textParameter({ content, ...parameter }: ParameterObject): ParameterObject {
  const media = content?.["application/json"];
  const { examples: _, ...rest } = parameter;
  return media === undefined ? rest : { ...rest, ...jsonText(parameter.description, media.schema) };
}

/** Changes the named schema of the form, which only requests use, so that generators keep its name. */
function textForm(document: ContractDocument, { schema, encoding = {} }: MediaTypeObject): MediaTypeObject {
  const { properties = {} } = resolve<Schema>(document, schema);
  for (const [name, field] of Object.entries(properties)) {
    if (encoding[name]?.contentType !== "application/json") continue;
    const { description, schema: text } = jsonText(field.description, field);
    properties[name] = { ...text, description };
  }
  return { schema };
}

function jsonText(description = "", { examples = [] }: Schema): { description: string; schema: Schema } {
  const example = examples[0] === undefined ? undefined : JSON.stringify(examples[0]);
  const suffix = `JSON text${example === undefined ? "" : `, such as \`${example}\``}.`;
  return {
    description: `${description.trimEnd()}\n\n${suffix}`.trimStart(),
    schema: { type: "string", ...(example === undefined ? {} : { examples: [example] }) },
  };
}

/** Removes errors with an open code from a response, beside which no comparison of a code would narrow the type. Removes its cases, too. */
function keepDocumentedErrors(document: ContractDocument, { content = {} }: ResponseObject): void {
  for (const media of Object.values(content)) {
    // The requests of cases do not match the changed parameters and forms.
    delete media.examples;
    const { anyOf, ...rest } = media.schema;
    const documented = anyOf?.filter((one) => hasOneCode(resolve<Schema>(document, one))) ?? [];
    const [only, ...others] = documented;
    if (only !== undefined) media.schema = others.length === 0 ? only : { ...rest, anyOf: documented };
  }
}

function hasOneCode({ properties }: Schema): boolean {
  return properties?.code?.const !== undefined;
}

/** Removes `additionalProperties`, except from maps. */
function withoutIndexSignature({ additionalProperties, ...node }: Record<string, unknown>): Record<string, unknown> {
  const isMap = typeof additionalProperties === "object" && node.properties === undefined;
  return isMap ? { ...node, additionalProperties } : node;
}

function withDefaults({ url, variables = {}, ...server }: ContractDocument["servers"][number]) {
  const values = variables as Record<string, { default: string }>;
  return { ...server, url: url.replaceAll(/\{(\w+)\}/g, (text, name: string) => values[name]?.default ?? text) };
}
