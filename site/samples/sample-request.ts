import { operations } from "../../generated/chat/operations.js";
import { type CaseRequest, caseRequest } from "../../src/chat/cases/case-request.js";
import type { ChatOperation } from "../../src/chat/operation.js";
import { callerName } from "../../src/contract/calls.js";
import type { Case } from "../../src/contract/rest/cases.js";
import { textOfValue } from "../../src/request/create-encode.js";
import { inputsOf, placeOf } from "../../src/request/operation.js";
import { describedFile } from "../../src/verify/http/described-file.js";

/** The origin in samples: the mock on this machine. */
export const sampleOrigin = "http://127.0.0.1:4010";

/** The request of a case in the forms that samples need. */
export interface SampleRequest {
  readonly operationId: string;
  readonly operation: ChatOperation;
  readonly credentials: { readonly email: string; readonly apiKey: string } | undefined;
  /** The request with encoded parameters. */
  readonly sent: CaseRequest;
  /** The URL of the API, with the encoded path, without a query. */
  readonly url: string;
  readonly header: readonly (readonly [name: string, value: string])[];
  readonly query: readonly SampleField[];
  readonly body: readonly SampleField[];
  /** All parameters except headers, by name, as the client takes them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A field of a query or body. */
export interface SampleField {
  readonly name: string;
  readonly isJson: boolean;
  readonly value: unknown;
  /** As it is sent. */
  readonly text: string;
  readonly file?: { readonly name: string; readonly type: string; readonly text: string };
}

const table: Readonly<Record<string, ChatOperation>> = operations;

/** Prepares the request of a case. Rejects if the contract has no such operation. */
export async function toSampleRequest(testCase: Pick<Case, "operationId" | "request" | "as">): Promise<SampleRequest> {
  const operation = table[testCase.operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${testCase.operationId}`);
  const credentials = operation.auth === false ? undefined : credentialsOf(callerName(testCase.as));
  const known = credentials && { email: credentials.email, api_key: credentials.apiKey };
  const sent = await caseRequest(testCase, `${sampleOrigin}/api/v1`, known);
  const { path, query, header, body } = testCase.request;
  const values = { ...path, ...query, ...body };
  const fields = await Promise.all(Object.entries(values).map((entry) => toField(operation, ...entry)));
  const placed = (place: string) => fields.filter(({ name }) => placeOf(operation, name) === place);
  return {
    operationId: testCase.operationId,
    operation,
    credentials,
    sent,
    url: sent.url.split("?", 1)[0] ?? sent.url,
    header: Object.entries(header).map(([name, value]) => [name, String(value)] as const),
    query: placed("query"),
    body: placed("body"),
    values,
  };
}

async function toField(operation: ChatOperation, name: string, value: unknown): Promise<SampleField> {
  const parameter = inputsOf(operation).find((one) => one.name === name);
  const isJson = parameter?.json ?? (parameter === undefined && typeof value === "object");
  const file = parameter?.isFile ? describedFile(value) : undefined;
  const shown = file && { name: file.name, type: file.type, text: await file.text() };
  return {
    name,
    isJson,
    value,
    text: textOfValue(value, { json: isJson }),
    file: shown,
  };
}

/** The credentials of a caller in a sample. `nobody` sends none, `stranger` unknown ones. */
function credentialsOf(caller: string): SampleRequest["credentials"] {
  if (caller === "nobody") return undefined;
  return caller === "stranger"
    ? { email: "stranger@example.com", apiKey: "unknown" }
    : { email: `${caller}@example.com`, apiKey: "key" };
}
