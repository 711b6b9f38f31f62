import { mediaType } from "../../chat/codec/media-type.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../contract/chat/document.js";
import { listOperations } from "../../contract/chat/operations.js";
import { parseJson } from "../../parse-json.js";
import type { Mask } from "../excerpt.js";
import type { ActualResponse } from "./actual-response.js";
import { createShow, maskPlaces } from "./create-show.js";
import { fitsSchema } from "./fits-schema.js";
import { requiredHeaders } from "./required-headers.js";
import type { ResponseValidators } from "./response-validators.js";
import { validationSentence } from "./validation-sentence.js";

/** A response as it came from the wire, with its headers. */
export interface ReceivedResponse extends ActualResponse {
  readonly headers: Headers;
}

/**
 * What is wrong with a response whatever the request was, one readable sentence each; empty when the contract allows it: the status is
 * documented for the operation, the content type and the required headers are there, and the body fits the schema of the status.
 *
 * A status from 500 on is always wrong. Which status goes with an error code is open where the requirements do not say it, so an error
 * may also be one that the contract lists with another status; it must have the fields of its code all the same. `document` and
 * `validators` are those of the level of the server. What a sentence quotes is masked by `mask`, by default for what is secret by its
 * place. Never throws.
 */
export function compareWithContract(
  document: ContractDocument,
  operationId: string,
  actual: ReceivedResponse,
  validators: ResponseValidators,
  mask: Mask = maskPlaces,
): string[] {
  const { status, fault } = actual;
  if (fault !== undefined) return [mask(fault)];
  const show = createShow(mask);
  const body = parseJson(actual.text);
  const got = () => `${status} with ${show(body ?? actual.text)}`;
  if (status >= 500) return [`status: the server failed with ${got()}`];
  const operation = listOperations(document).find((listed) => listed.operation.operationId === operationId)?.operation;
  const given = operation?.responses[status] ?? (status >= 400 ? operation?.responses.default : undefined);
  if (operation === undefined || given === undefined) return [`status: ${operationId} does not document ${got()}`];
  const response = resolve<ResponseObject>(document, given);
  const missing = requiredHeaders(response).filter((name) => !actual.headers.has(name));
  const problems = missing.map((name) => `headers: ${name} is missing`);
  const [expectedType] = Object.keys(response.content ?? {});
  if (expectedType === undefined) return problems;
  if (mediaType(actual.contentType) !== expectedType) {
    problems.push(`content type: expected ${expectedType}, got ${show(actual.contentType)}`);
  }
  if (body === undefined) return [...problems, `body: expected JSON, got ${show(actual.text)}`];
  return [...problems, ...bodyProblems(document, operation, { status, body, validators, show })];
}

/** A body, and what it takes to judge it. */
interface ReceivedBody {
  readonly status: number;
  readonly body: unknown;
  readonly validators: ResponseValidators;
  readonly show: Show;
}

type Show = ReturnType<typeof createShow>;

function bodyProblems(
  document: ContractDocument,
  { operationId }: OperationObject,
  { status, body, validators, show }: ReceivedBody,
): string[] {
  const validate = validators[operationId]?.[status] ?? validators[operationId]?.default;
  if (validate === undefined) return [`body: the contract has no schema for ${operationId} and status ${status}`];
  if (validate(body)) return [];
  const errors = (validate.errors ?? []).map(validationSentence);
  return status < 400 ? [...new Set(errors)] : errorProblems(document, body, show);
}

/** What keeps a body from being the error that its code says it is. */
function errorProblems(document: ContractDocument, body: unknown, show: Show): string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return ["body: must be object"];
  const code = "code" in body ? body.code : undefined;
  const schemas = Object.values(document.components.schemas);
  const own = schemas.find(({ properties }) => typeof code === "string" && properties?.code?.const === code);
  const { required = [], properties = {} } = own ?? document.components.schemas.OtherError ?? {};
  const ofCode = typeof code === "string" ? ` in an error with code ${show(code)}` : "";
  return [...new Set([...required, ...Object.keys(properties)])].flatMap((name) => {
    const schema: Schema = properties[name] ?? {};
    if (!Object.hasOwn(body, name)) {
      return required.includes(name) ? [`body: must have required property '${name}'${ofCode}`] : [];
    }
    const value: unknown = Reflect.get(body, name);
    return fitsSchema(document, schema, value) ? [] : [`/${name}: ${show(value)} does not fit its schema${ofCode}`];
  });
}
