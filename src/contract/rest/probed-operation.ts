import type { BodyForm, Operation, Parameter } from "../../request/operation.js";
import type { Case } from "./cases.js";
import { isClientRule } from "./client-rules.js";
import { compileOperation } from "./compile-operation.js";
import { type ContractDocument, type OperationObject, type Reference, resolve, type Schema } from "./document.js";
import { type ImpliedRules, impliedRules } from "./implied-rules.js";
import { listOperations, parameterSchema, parametersOf } from "./operations.js";
import { type RequestBody, requestBodyOf } from "./request-body.js";
import type { Rule } from "./rule.js";
import { type LoginScheme, loginOf } from "./security.js";

/** A parameter of an operation, in any part of the request. */
export interface ProbedParameter extends Parameter {
  readonly required: boolean;
  /** Whether its value is encoded as JSON text. */
  readonly json: boolean;
  /** Whether the text is a part of a body that is JSON as a whole, or that body. Defaults to false. */
  readonly inJson?: true;
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
  /** The name in texts, such as `GET /messages`. */
  readonly title: string;
  /** The short name, which its rule ids begin with. */
  readonly feature: string;
  /** In upper case. */
  readonly method: string;
  /** The template below the path of the API. */
  readonly path: string;
  /** Whether it refuses requests without credentials. */
  readonly needsLogin: boolean;
  /** How requests carry credentials. */
  readonly login: readonly LoginScheme[];
  /** Every way in which they may, of which `login` is the first. */
  readonly logins: readonly (readonly LoginScheme[])[];
  readonly deprecated: boolean;
  /** Whether it begins a protocol, such as tus, which defines the headers and the body. */
  readonly beginsProtocol: boolean;
  /** The encoding of the body; a form if the operation has no body. */
  readonly body: BodyForm;
  /** The media type of the body, if it has one. */
  readonly mediaType?: string;
  /** The schema of the body, if it has one. */
  readonly bodySchema?: Schema;
  /** Whether every request has a body. Defaults to false. */
  readonly requiresBody?: boolean;
  /** Whether a request may have fields that the contract lacks. */
  readonly isOpen: boolean;
  readonly parameters: readonly ProbedParameter[];
  /** How requests are written. */
  readonly request: Operation;
  /** The rules that hold at the level: first the general ones, then its own. */
  readonly rules: readonly Rule[];
  /** Those of these that are its own. */
  readonly ownRules: readonly Rule[];
  /** The ids of the rules that nobody wrote. Undefined if the contract has none of them. */
  readonly implied?: ImpliedRules;
  readonly cases: readonly Case[];
  readonly document: ContractDocument;
}

/** Lists the operations of the contract as of a level, with their cases. */
export function listProbedOperations(document: ContractDocument, cases: readonly Case[]): ProbedOperation[] {
  const shared = document["x-rules"] ?? [];
  const ofOperation = new Map<string, Case[]>();
  for (const one of cases) {
    const known = ofOperation.get(one.operationId);
    if (known === undefined) ofOperation.set(one.operationId, [one]);
    else known.push(one);
  }
  return listOperations(document).map((listed) => {
    const { operation, method, path } = listed;
    const request = compileOperation(document, listed);
    const body = requestBodyOf(document, operation);
    const { isRequired, schemes, alternatives } = loginOf(document, operation);
    return {
      operationId: operation.operationId,
      title: `${method.toUpperCase()} ${path}`,
      feature: operation["x-feature"],
      method: method.toUpperCase(),
      path,
      needsLogin: isRequired,
      login: schemes,
      logins: alternatives,
      deprecated: operation.deprecated === true,
      beginsProtocol: operation["x-protocol"] !== undefined,
      body: body?.form ?? "form",
      mediaType: body?.mediaType,
      bodySchema: body?.schema,
      requiresBody: body?.isRequired,
      isOpen: body?.isClosed !== true,
      parameters: [...listParameters(document, operation, request), ...listFields(body, request)],
      request,
      rules: [...shared, ...(operation["x-rules"] ?? [])],
      ownRules: (operation["x-rules"] ?? []).filter((rule) => !isClientRule(rule)),
      ...impliedIn(operation),
      cases: ofOperation.get(operation.operationId) ?? [],
      document,
    };
  });
}

function impliedIn({ operationId, "x-rules": rules = [] }: OperationObject): { implied?: ImpliedRules } {
  const implied = impliedRules(operationId);
  return rules.some(({ id }) => id === implied.response) ? { implied } : {};
}

function listParameters(document: ContractDocument, operation: OperationObject, request: Operation): ProbedParameter[] {
  return parametersOf(document, operation).map((parameter, i) => ({
    ...probed(request.parameters[i], resolve<Schema>(document, parameterSchema(parameter))),
    deprecated: parameter.deprecated === true,
    ...referenceOf(parameter),
  }));
}

function listFields(body: RequestBody | undefined, { bodies: [first] = [] }: Operation): ProbedParameter[] {
  if (body === undefined || body.hasAlternatives) return [];
  return body.fields.map(({ schema, encoding }, i) => ({
    ...probed(first?.fields[i], schema),
    ...(body.form === "json" ? { inJson: true as const } : {}),
    ...referenceOf(encoding),
  }));
}

/** A parameter with its schema. Those of the document and of the compiled operation have the same order. */
function probed(parameter: Parameter | undefined, schema: Schema): ProbedParameter {
  if (parameter === undefined) throw new Error("The compiled operation lacks a parameter");
  const { required = false, json = false, isFile = false } = parameter;
  return { ...parameter, required, json, isFile, deprecated: schema.deprecated === true, schema };
}

function referenceOf(holder: { "x-refers-to"?: Reference } | undefined): { reference?: Reference } {
  const reference = holder?.["x-refers-to"];
  return reference === undefined ? {} : { reference };
}
