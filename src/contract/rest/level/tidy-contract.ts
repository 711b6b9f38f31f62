import { type ContractDocument, type ExampleObject, resolve, type Schema } from "../document.js";
import { mapNodes } from "../map-nodes.js";
import { listOperations } from "../operations.js";
import { withoutUnusedComponents } from "./without-unused-components.js";

/**
 * Prepares the contract of a level for publication, so that linters find nothing: without unused components, without `anyOf` of a single
 * alternative, and without examples that the schemas of the level reject. Cases that show such a rejection lose their request.
 */
export function tidyContract(document: ContractDocument): ContractDocument {
  const tidy = mapNodes(document, (node) => withFittingExamples(document, withoutSingleAlternative(document, node)));
  for (const { operation } of listOperations(tidy as ContractDocument)) {
    for (const { schema, examples } of Object.values(operation.requestBody?.content ?? {})) {
      dropUnfit(document, schema, examples);
    }
  }
  return withoutUnusedComponents(tidy as ContractDocument);
}

function withoutSingleAlternative(document: ContractDocument, node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 1) return node;
  const [only] = anyOf as [Schema];
  if (Object.keys(rest).length === 0) return only;
  const { "x-feature-level": _, ...alternative } = resolve<Schema>(document, only);
  return { ...alternative, ...rest };
}

function withFittingExamples(document: ContractDocument, node: Record<string, unknown>): Record<string, unknown> {
  const { examples, ...schema } = node;
  if (!Array.isArray(examples)) return node;
  const fitting = examples.filter((example) => fits(document, schema, example));
  return fitting.length === 0 ? schema : { ...schema, examples: fitting };
}

function dropUnfit(document: ContractDocument, schema: Schema, examples: Record<string, ExampleObject> = {}): void {
  for (const [name, { value }] of Object.entries(examples)) {
    if (!fits(document, schema, value)) delete examples[name];
  }
}

/** Whether a value fits the types, constants, alternatives and required fields of a schema, at every depth. No more differs between levels. */
function fits(document: ContractDocument, schema: Schema, value: unknown): boolean {
  const { type, enum: allowed, anyOf, items, properties = {}, ...rest } = resolve<Schema>(document, schema);
  if (type !== undefined && ![type].flat().some((name) => hasType(name, value))) return false;
  if (allowed !== undefined && !allowed.includes(value)) return false;
  if ("const" in rest && rest.const !== value) return false;
  if (anyOf !== undefined && !anyOf.some((alternative) => fits(document, alternative, value))) return false;
  if (Array.isArray(value)) return items === undefined || value.every((item) => fits(document, items, item));
  if (typeof value !== "object" || value === null) return true;
  const { required = [] } = rest;
  return (
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, inner]) => fits(document, properties[name] ?? {}, inner))
  );
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
