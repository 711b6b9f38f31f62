import { basePath } from "../base-path.js";
import type { ContractDocument, MediaTypeObject, OperationObject, ParameterObject, Schema } from "../document.js";
import { resolve } from "../document.js";
import { withoutExtensions } from "../map-nodes.js";
import { listOperations, parametersOf } from "../operations.js";

/**
 * The contract for Prism, which ignores the path of `servers`, cannot decode JSON in forms and queries, and rejects some valid requests
 * with `oneOf`. So paths start with that of the server, JSON fields may also be strings, and JSON query parameters are strings.
 */
export function prismProfile(document: ContractDocument): ContractDocument {
  const profile = structuredClone(document);
  for (const { operation } of listOperations(profile)) {
    if (operation.parameters) operation.parameters = parametersOf(profile, operation).map(textParameter);
    for (const media of Object.values(operation.requestBody?.content ?? {})) widenFields(profile, operation, media);
  }
  const base = basePath(document);
  profile.paths = Object.fromEntries(Object.entries(profile.paths).map(([path, item]) => [`${base}${path}`, item]));
  profile.servers = [{ url: "/" }];
  return withoutExtensions(profile);
}

function textParameter({ content, schema, ...parameter }: ParameterObject): ParameterObject {
  if (content === undefined)
    return { ...parameter, ...(schema === undefined ? {} : { schema: anyOfForOneOf(schema) }) };
  const media = Object.values(content)[0];
  const examples = Object.entries(media?.examples ?? {}).map(([name, { value, ...example }]) => [
    name,
    { ...example, value: JSON.stringify(value) },
  ]);
  return {
    ...parameter,
    schema: { type: "string" },
    ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
  };
}

/** Inlines the schema of a form before changing it, because a response may use the same component. */
function widenFields(document: ContractDocument, operation: OperationObject, media: MediaTypeObject): void {
  const schema = resolve<Schema>(document, media.schema);
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const json = media.encoding?.[name]?.contentType === "application/json";
    return [name, json ? { anyOf: [anyOfForOneOf(field), { type: "string" }] } : field];
  });
  const { encoding: _, ...rest } = media;
  for (const [type, candidate] of Object.entries(operation.requestBody?.content ?? {})) {
    if (candidate === media && operation.requestBody) {
      operation.requestBody.content[type] = {
        ...rest,
        schema: { ...schema, properties: Object.fromEntries(properties) },
      };
    }
  }
}

/** Replaces `oneOf` with `anyOf`: Prism coerces text to numbers during validation, so several alternatives may match. */
function anyOfForOneOf({ oneOf, ...schema }: Schema): Schema {
  return oneOf === undefined ? schema : { ...schema, anyOf: oneOf };
}
