import type { ContractDocument } from "../document.js";
import { mapNodes } from "../map-nodes.js";

/** The format of an undocumented error code. */
export const unknownErrorCode = "unknown-error-code";

/**
 * The contract for openapi-typescript: JSON query parameters have the schema of their content, open objects have no index signature
 * (it would hide misspelt fields), and the code of `OtherError` has its own format, so that comparing `code` narrows the type.
 */
export function typesProfile(document: ContractDocument): ContractDocument {
  const profile = mapNodes(document, ({ additionalProperties, examples, example, ...node }) => {
    const rest = Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith("x-")));
    if (typeof additionalProperties === "object") rest.additionalProperties = additionalProperties;
    // Keep a property named `examples`; remove only the keyword.
    if (typeof examples === "object" && !Array.isArray(examples) && isSchema(examples)) rest.examples = examples;
    return typeof rest.in === "string" && rest.in === "query" && isMedia(rest.content)
      ? { ...rest, schema: rest.content["application/json"].schema, content: undefined }
      : rest;
  }) as ContractDocument;
  const code = profile.components.schemas.OtherError?.properties?.code;
  if (code !== undefined) code.format = unknownErrorCode;
  return profile;
}

function isSchema(value: object | null): boolean {
  return value !== null && ("type" in value || "$ref" in value);
}

function isMedia(value: unknown): value is { "application/json": { schema: object } } {
  return typeof value === "object" && value !== null && "application/json" in value;
}
