import type { Case } from "../../../contract/chat/cases.js";
import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
  type Schema,
} from "../../../contract/chat/document.js";
import { listOperations } from "../../../contract/chat/operations.js";
import { requiredHeaders } from "../required-headers.js";
import { toDraft07 } from "./draft-07.js";

/** What Dredd checks of the response to a case, besides its status. */
export interface ExpectedResponse {
  /** A JSON Schema in draft-07 for the status and, of an error, the code. Left out when the response has no JSON body. */
  readonly bodySchema?: object;
  /** The headers that have to be there, whatever their value. */
  readonly headers: readonly string[];
}

/** What the contract, as of the level of the server, says about the response to a case. */
export function expectedResponse(document: ContractDocument, one: Case): ExpectedResponse {
  const operation = listOperations(document).find(
    ({ operation }) => operation.operationId === one.operationId,
  )?.operation;
  const response = operation && responseOf(document, operation, one.response.status);
  if (operation === undefined || response === undefined) return { headers: [] };
  // The status of an open case is not fixed, so neither are the headers that go with it.
  const headers = one.open === undefined ? requiredHeaders(response) : [];
  const schema = bodyOf(document, operation, response, one);
  return {
    headers,
    ...(schema === undefined ? {} : { bodySchema: toDraft07(document, schema) }),
  };
}

function responseOf(
  document: ContractDocument,
  { responses }: OperationObject,
  status: number,
): ResponseObject | undefined {
  const given = responses[status] ?? responses.default;
  return given && resolve<ResponseObject>(document, given);
}

function bodyOf(
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
  return status < 400 || code === undefined ? schema : schemaOfCode(document, schema, code);
}

/** The alternative of an error that is for a code, else those that are for any other. */
function schemaOfCode(document: ContractDocument, schema: Schema, code: unknown): Schema {
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

/** What every error has: the fields of `default`, with any code. */
function envelope(document: ContractDocument, operation: OperationObject): Schema | undefined {
  const schema = responseOf(document, operation, 0)?.content?.["application/json"]?.schema;
  if (schema === undefined) return undefined;
  const { properties = {}, ...rest } = resolve<Schema>(document, schema);
  const { not: _, ...code } = properties.code ?? {};
  return { ...rest, properties: { ...properties, code } };
}
