import type { Case } from "../../contract/rest/cases.js";
import { isClientRule } from "../../contract/rest/client-rules.js";
import { type ContractDocument, type Reference, resolve, type Schema } from "../../contract/rest/document.js";
import { type ListedOperation, listOperations, parameterSchema, parametersOf } from "../../contract/rest/operations.js";
import type { Rule } from "../../contract/rest/rule.js";

/** The part of a request that carries a parameter. */
export type Place = "path" | "query" | "header" | "body";

/** A parameter of an operation, in any part of the request. */
export interface ProbedParameter {
  readonly name: string;
  readonly place: Place;
  readonly required: boolean;
  /** Whether its value is encoded as JSON text. */
  readonly json: boolean;
  readonly isFile: boolean;
  readonly deprecated: boolean;
  /** Never a `$ref` itself. */
  readonly schema: Schema;
  /** Undefined if the value refers to nothing that belongs to an organization. */
  readonly reference?: Reference;
}

/** An operation of the contract as of a level, with all that probes need. */
export interface ProbedOperation {
  readonly operationId: string;
  /** The short name, which its rule ids begin with. */
  readonly feature: string;
  /** In upper case. */
  readonly method: string;
  /** The template below `/api/v1`. */
  readonly path: string;
  readonly needsLogin: boolean;
  readonly deprecated: boolean;
  /** The media type of the body; a form if the operation has no body. */
  readonly body: "form" | "multipart";
  readonly parameters: readonly ProbedParameter[];
  /** The rules that hold at the level: first the general ones, then its own. */
  readonly rules: readonly Rule[];
  /** Those of these that are its own. */
  readonly ownRules: readonly Rule[];
  readonly cases: readonly Case[];
  readonly document: ContractDocument;
}

/** Lists the operations of the contract as of a level, with their cases. */
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
      deprecated: operation.deprecated === true,
      body: "multipart/form-data" in (operation.requestBody?.content ?? {}) ? "multipart" : "form",
      parameters: listParameters(document, listed),
      rules: [...shared, ...(operation["x-rules"] ?? [])],
      ownRules: (operation["x-rules"] ?? []).filter((rule) => !isClientRule(rule)),
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
    deprecated: parameter.deprecated === true,
    schema: resolve<Schema>(document, parameterSchema(parameter)),
    ...referenceOf(parameter),
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
        deprecated: property.deprecated === true,
        schema: property,
        ...referenceOf(encoding[name]),
      };
    });
  });
  return [...own, ...fields];
}

function referenceOf(holder: { "x-refers-to"?: Reference } | undefined): { reference?: Reference } {
  const reference = holder?.["x-refers-to"];
  return reference === undefined ? {} : { reference };
}
