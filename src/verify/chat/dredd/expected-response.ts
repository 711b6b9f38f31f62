import type { Case } from "../../../contract/chat/cases.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../../contract/chat/document.js";
import { listOperations } from "../../../contract/chat/operations.js";
import { requiredHeaders } from "../judge/compare-with-contract.js";
import { toDraft07 } from "./json-schema-draft-07.js";

/** The parts of the response to a case that Dredd checks, besides its status. */
export interface ExpectedResponse {
  /** A draft-07 JSON Schema for the status and, for an error, the code. Omitted if the response has no JSON body. */
  readonly bodySchema?: object;
  /** The names of required headers; their values are not checked. */
  readonly headers: readonly string[];
}

/** Returns the response that the contract expects for a case. `document` is the contract as of the server's level. */
export function expectedResponse(document: ContractDocument, testCase: Case): ExpectedResponse {
  const operation = listOperations(document).find(
    ({ operation }) => operation.operationId === testCase.operationId,
  )?.operation;
  const response = operation && findResponse(document, operation, testCase.response.status);
  if (operation === undefined || response === undefined) return { headers: [] };
  // An open case fixes no status, so it fixes no headers of a status either.
  const headers = testCase.open === undefined ? requiredHeaders(response) : [];
  const schema = bodySchemaOf(document, operation, response, testCase);
  return {
    headers,
    ...(schema === undefined ? {} : { bodySchema: toDraft07(document, schema) }),
  };
}

function findResponse(
  document: ContractDocument,
  { responses }: OperationObject,
  status: number,
): ResponseObject | undefined {
  const given = responses[status] ?? responses.default;
  return given && resolve<ResponseObject>(document, given);
}

function bodySchemaOf(
  document: ContractDocument,
  operation: OperationObject,
  { content }: ResponseObject,
  { response, open }: Case,
): Schema | undefined {
  if (open !== undefined) return envelope(document, operation);
  const schema = content?.["application/json"]?.schema;
  if (schema === undefined || response.body === undefined) return undefined;
  const { status, body } = response;
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return status < 400 || code === undefined ? schema : narrowToCode(document, schema, code);
}

/** Narrows an error schema to the alternative for a code, or else to those for unlisted codes. */
function narrowToCode(document: ContractDocument, schema: Schema, code: unknown): Schema {
  const all = alternatives(document, schema);
  const own = all.filter(({ properties }) => properties?.code?.const === code);
  const chosen = own.length > 0 ? own : all.filter(({ properties }) => properties?.code?.const === undefined);
  return { allOf: [{ anyOf: chosen }, { required: ["code"], properties: { code: { const: code } } }] };
}

function alternatives(document: ContractDocument, schema: Schema): Schema[] {
  const resolved = resolve<Schema>(document, schema);
  const parts = resolved.anyOf ?? resolved.oneOf;
  return parts === undefined ? [resolved] : parts.flatMap((part) => alternatives(document, part));
}

/** Returns the schema of any error. */
function envelope(document: ContractDocument, operation: OperationObject): Schema | undefined {
  return findResponse(document, operation, 0)?.content?.["application/json"]?.schema;
}
