import { type ContractDocument, resolve, type Schema } from "../document.js";
import { mapNodes } from "../map-nodes.js";

/** Rewrites a document of OpenAPI 3.1 as OpenAPI 3.0.3, in those parts of JSON Schema that the contract uses. */
export function toOpenApi30(document: ContractDocument): ContractDocument {
  const rewrite = (node: Record<string, unknown>) =>
    withFormat(withExample(withEnum(withNullable(document, withoutConditions(node)))));
  const { openapi: _, info, ...rest } = mapNodes(document, rewrite) as ContractDocument;
  const { summary: __, license, ...facts } = info;
  return { openapi: "3.0.3", info: { ...facts, license: licenseWithUrl(license) }, ...rest };
}

function licenseWithUrl(license: unknown): object {
  const { name, identifier } = license as { name: string; identifier: string };
  return { name, url: `https://spdx.org/licenses/${identifier}.html` };
}

/** Drops the conditions of a schema, which OpenAPI 3.0 lacks. */
function withoutConditions(node: Record<string, unknown>): Record<string, unknown> {
  if (typeof node.if !== "object") return node;
  const { if: _, then: __, ...rest } = node;
  return rest;
}

/** Replaces the type `null` with `nullable`. Inlines a nullable reference, because OpenAPI 3.0 allows no keyword beside a reference. */
function withNullable(document: ContractDocument, node: Record<string, unknown>): Record<string, unknown> {
  const { type, anyOf, ...rest } = node;
  if (Array.isArray(type) && type.includes("null")) {
    return { ...rest, type: type.find((name) => name !== "null"), nullable: true };
  }
  const alternatives = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  const others = alternatives.filter((one) => one.type !== "null");
  const [only, ...more] = others;
  if (only === undefined || others.length === alternatives.length) return node;
  return more.length > 0
    ? { ...rest, anyOf: others, nullable: true }
    : { ...resolve<Schema>(document, only), ...rest, nullable: true };
}

function withEnum({ const: value, ...node }: Record<string, unknown>): Record<string, unknown> {
  if (value === undefined) return node;
  return typeof value === "object" ? { const: value, ...node } : { ...node, enum: [value] };
}

function withExample({ examples, ...node }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(examples)) return examples === undefined ? node : { ...node, examples };
  return { ...node, example: examples[0] };
}

/** Describes a file as a string, without its example, which is an object. */
function withFormat({ contentEncoding, example, ...node }: Record<string, unknown>): Record<string, unknown> {
  if (node.format === "binary") return { type: "string", ...node };
  const sample = example === undefined ? node : { ...node, example };
  return contentEncoding === "base64" ? { ...sample, format: "byte" } : sample;
}
