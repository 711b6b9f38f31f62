import type { Case } from "../../../contract/chat/cases.js";
import { type ContractDocument, resolve, type Schema } from "../../../contract/chat/document.js";
import {
  type ListedOperation,
  listOperations,
  parameterSchema,
  parametersOf,
} from "../../../contract/chat/operations.js";

/** Where a parameter travels. */
export type Place = "path" | "query" | "header" | "body";

/** A parameter of an operation, wherever it travels. */
export interface ProbedParameter {
  readonly name: string;
  readonly place: Place;
  readonly required: boolean;
  /** Whether its value travels as JSON text. */
  readonly json: boolean;
  readonly isFile: boolean;
  /** Without references at its top. */
  readonly schema: Schema;
}

/** An operation of a view of the contract, as probes need it. */
export interface ProbedOperation {
  readonly operationId: string;
  /** The short name that its rules begin with. */
  readonly feature: string;
  /** In capitals. */
  readonly method: string;
  /** The template below `/api/v1`. */
  readonly path: string;
  readonly needsLogin: boolean;
  /** What a body is sent as; a form when the operation has none of its own. */
  readonly body: "form" | "multipart";
  readonly parameters: readonly ProbedParameter[];
  /** Every rule that holds in the view, also those of no single operation. */
  readonly rules: ReadonlySet<string>;
  readonly cases: readonly Case[];
  readonly document: ContractDocument;
}

/** The operations of a view of the contract, such as that of a level, with its cases. */
export function listProbedOperations(document: ContractDocument, cases: readonly Case[]): ProbedOperation[] {
  const shared = document["x-rules"] ?? [];
  return listOperations(document).map((listed) => {
    const { operation, method, path } = listed;
    const security = operation.security ?? document.security;
    return {
      operationId: operation.operationId,
      feature: operation["x-feature"],
      method: method.toUpperCase(),
      path,
      needsLogin: !Array.isArray(security) || security.length > 0,
      body: "multipart/form-data" in (operation.requestBody?.content ?? {}) ? "multipart" : "form",
      parameters: listParameters(document, listed),
      rules: new Set([...shared, ...(operation["x-rules"] ?? [])].map(({ id }) => id)),
      cases: cases.filter(({ operationId }) => operationId === operation.operationId),
      document,
    };
  });
}

function listParameters(document: ContractDocument, { operation }: ListedOperation): ProbedParameter[] {
  const own = parametersOf(document, operation).map((parameter) => ({
    name: parameter.name,
    place: parameter.in,
    required: parameter.required === true || parameter.in === "path",
    json: parameter.content !== undefined,
    isFile: false,
    schema: resolve<Schema>(document, parameterSchema(parameter)),
  }));
  const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema, encoding = {} }) => {
    const { properties = {}, required = [] } = resolve<Schema>(document, schema);
    return Object.entries(properties).map(([name, given]) => {
      const property = resolve<Schema>(document, given);
      return {
        name,
        place: "body" as const,
        required: required.includes(name),
        json: encoding[name]?.contentType === "application/json",
        isFile: property.format === "binary",
        schema: property,
      };
    });
  });
  return [...own, ...fields];
}
