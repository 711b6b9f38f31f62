import type { Operation, ParameterKind } from "../../src/chat/operation.js";
import {
  type ContractDocument,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "../../src/contract/rest/document.js";
import {
  type ListedOperation,
  listOperations,
  parameterSchema,
  parametersOf,
} from "../../src/contract/rest/operations.js";

/** The facts about each operation that codec, client, server and mock need, by operationId. */
export function operationTable(document: ContractDocument): Record<string, Operation> {
  return Object.fromEntries(
    listOperations(document).map((listed) => [listed.operation.operationId, toRow(document, listed)]),
  );
}

function toRow(document: ContractDocument, { path, method, operation }: ListedOperation): Operation {
  const parameters = parametersOf(document, operation);
  const headers = parameters.filter((parameter) => parameter.in === "header");
  const kinds: [string, ParameterKind][] = [
    ...parameters
      .filter((parameter) => parameter.in !== "header")
      .map((parameter): [string, ParameterKind] => [parameter.name, parameterKind(document, parameter)]),
    ...bodyKinds(document, operation),
  ];
  const body = bodyForm(operation);
  return {
    feature: operation["x-feature"],
    method: method.toUpperCase() as Operation["method"],
    path,
    ...(body === undefined ? {} : { body }),
    ...(operation["x-protocol"] === undefined ? {} : { protocol: operation["x-protocol"] }),
    ...(operation.security?.length === 0 ? { auth: false } : {}),
    parameters: Object.fromEntries(kinds),
    ...(headers.length === 0
      ? {}
      : {
          headers: Object.fromEntries(headers.map((parameter) => [parameter.name, parameterKind(document, parameter)])),
        }),
  };
}

function bodyForm({ operationId, requestBody }: OperationObject): Operation["body"] {
  const types = Object.keys(requestBody?.content ?? {});
  switch (types[0]) {
    case undefined:
      return undefined;
    case "application/x-www-form-urlencoded":
      return "form";
    case "multipart/form-data":
      return "multipart";
    default:
      throw new Error(`${operationId} has a body of ${types.join(", ")}; a body is a form or multipart/form-data`);
  }
}

function bodyKinds(
  document: ContractDocument,
  { operationId, requestBody }: OperationObject,
): [string, ParameterKind][] {
  return Object.values(requestBody?.content ?? {}).flatMap(({ schema, encoding = {} }) =>
    Object.entries(resolve<Schema>(document, schema).properties ?? {}).map(([name, field]): [string, ParameterKind] => {
      if (encoding[name]?.contentType === "application/json") return [name, "json"];
      return [name, schemaKind(document, `${operationId}.${name}`, resolve<Schema>(document, field))];
    }),
  );
}

function parameterKind(document: ContractDocument, parameter: ParameterObject): ParameterKind {
  if (parameter.content !== undefined) return "json";
  if (parameter["x-allow-slashes"]) return "segments";
  return schemaKind(document, `parameter ${parameter.name}`, resolve<Schema>(document, parameterSchema(parameter)));
}

/** Returns the encoding of a parameter that is not JSON text. Throws if its schema does not determine one. */
function schemaKind(document: ContractDocument, place: string, schema: Schema): ParameterKind {
  if (schema.format === "binary") return "file";
  const alternatives = (schema.anyOf ?? []).map((alternative) => resolve<Schema>(document, alternative).type);
  if (alternatives.length === 2 && alternatives.includes("integer") && alternatives.includes("string"))
    return "integer-or-text";
  switch (schema.type) {
    case "integer":
    case "boolean":
    case "string":
      return schema.type;
    default:
      throw new Error(`${place} needs \`type\` string, integer or boolean, or JSON as its content type`);
  }
}

/** The code of the operation table. */
export function operationsModule(document: ContractDocument): string {
  const rows = Object.entries(operationTable(document)).map(([id, row]) => `  ${id}: ${JSON.stringify(row)},`);
  return `// Written by \`npm run generate\`. Not to be edited.

/** The facts about every operation that codec, client, server and mock need, by operationId. */
export const operations = {
${rows.join("\n")}
} as const;
`;
}
