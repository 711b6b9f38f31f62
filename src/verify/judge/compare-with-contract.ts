import { mediaType } from "../../chat/codec/media-type.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../contract/rest/document.js";
import { listOperations } from "../../contract/rest/operations.js";
import { parseJson } from "../../parse-json.js";
import type { Mask } from "../excerpt.js";
import type { ReceivedResponse } from "../http/http-message.js";
import { createQuoter, maskSecretFields } from "../http/quote.js";
import { isErrorEnvelope } from "./refusal.js";
import { describeValidationError, fitsSchema, type ResponseValidators } from "./validators.js";

/**
 * Lists the problems that a response has regardless of the request, one sentence each; empty if the contract allows the
 * response: the status is documented for the operation, the content type and required headers are present, and the body
 * fits the schema. The requirements fix only some pairs of status and error code, so an error may have any status and may be one that
 * the contract lists elsewhere; it must still have the fields of its code. A status from 500 without an error in the envelope is wrong.
 *
 * `document` and `validators` are those of the server's feature level. `mask` masks quoted values; by default, those of
 * secret fields.
 */
export function compareWithContract(
  document: ContractDocument,
  operationId: string,
  actual: JudgedResponse,
  validators: ResponseValidators,
  mask: Mask = maskSecretFields,
): string[] {
  const { status, fault } = actual;
  if (fault !== undefined) return [mask(fault)];
  const quote = createQuoter(mask);
  const body = parseJson(actual.text);
  const got = () => `${status} with ${quote(body ?? actual.text)}`;
  if (status >= 500 && !isErrorEnvelope(body)) return [`status: the server failed with ${got()}`];
  const operation = operationsOf(document).get(operationId);
  const given = operation?.responses[status] ?? (status >= 400 ? operation?.responses.default : undefined);
  // The protocol of such an operation may have further successes, and the contract only recommends a version of it.
  if (operation?.["x-protocol"] !== undefined && given === undefined && status < 300) return [];
  if (operation === undefined || given === undefined) return [`status: ${operationId} does not document ${got()}`];
  const response = resolve<ResponseObject>(document, given);
  const missing = requiredHeaders(response).filter((name) => !actual.headers.has(name));
  const problems = missing.map((name) => `headers: ${name} is missing`);
  const [expectedType] = Object.keys(response.content ?? {});
  if (expectedType === undefined) return problems;
  if (mediaType(actual.contentType) !== expectedType) {
    problems.push(`content type: expected ${expectedType}, got ${quote(actual.contentType)}`);
  }
  if (body === undefined) return [...problems, `body: expected JSON, got ${quote(actual.text)}`];
  return [...problems, ...bodyProblems(document, operation, { status, body, validators, quote })];
}

/** The compared parts of a response. */
export type JudgedResponse = Omit<ReceivedResponse, "headers"> & { readonly headers: Pick<Headers, "has"> };

const listed = new WeakMap<ContractDocument, ReadonlyMap<string, OperationObject>>();

/** The operations of a contract by id. Listing them again for each response would take longer than the comparison. */
function operationsOf(document: ContractDocument): ReadonlyMap<string, OperationObject> {
  let operations = listed.get(document);
  if (operations === undefined) {
    operations = new Map(listOperations(document).map(({ operation }) => [operation.operationId, operation]));
    listed.set(document, operations);
  }
  return operations;
}

/** A body, with the context to judge it. */
interface ReceivedBody {
  readonly status: number;
  readonly body: unknown;
  readonly validators: ResponseValidators;
  readonly quote: Quoter;
}

type Quoter = ReturnType<typeof createQuoter>;

function bodyProblems(
  document: ContractDocument,
  { operationId }: OperationObject,
  { status, body, validators, quote }: ReceivedBody,
): string[] {
  const validate = validators[operationId]?.[status] ?? validators[operationId]?.default;
  if (validate === undefined) return [`body: the contract has no schema for ${operationId} and status ${status}`];
  if (validate(body)) return [];
  const errors = (validate.errors ?? []).map(describeValidationError);
  return status < 400 ? [...new Set(errors)] : errorProblems(document, body, quote);
}

/** Lists how a body differs from the schema of its error code. */
function errorProblems(document: ContractDocument, body: unknown, quote: Quoter): string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return ["body: must be object"];
  const code = "code" in body ? body.code : undefined;
  const schemas = Object.values(document.components.schemas);
  const own = schemas.find(({ properties }) => typeof code === "string" && properties?.code?.const === code);
  const { required = [], properties = {} } = own ?? document.components.schemas.OtherError ?? {};
  const ofCode = typeof code === "string" ? ` in an error with code ${quote(code)}` : "";
  return [...new Set([...required, ...Object.keys(properties)])].flatMap((name) => {
    const schema: Schema = properties[name] ?? {};
    if (!Object.hasOwn(body, name)) {
      return required.includes(name) ? [`body: must have required property '${name}'${ofCode}`] : [];
    }
    const value: unknown = Reflect.get(body, name);
    return fitsSchema(document, schema, value) ? [] : [`/${name}: ${quote(value)} does not fit its schema${ofCode}`];
  });
}

/** Lists the names of the headers that every such response must have. */
export function requiredHeaders({ headers = {} }: Pick<ResponseObject, "headers">): string[] {
  return Object.entries(headers).flatMap(([name, header]) => (isRequired(header) ? [name] : []));
}

function isRequired(header: unknown): boolean {
  return typeof header === "object" && header !== null && "required" in header && header.required === true;
}
