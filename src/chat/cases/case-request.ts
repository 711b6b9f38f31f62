import { operations } from "../../../generated/chat/operations.js";
import type { Case } from "../../contract/rest/cases.js";
import type { HttpPart, HttpRequest } from "../../judge/http-message.js";
import type { EncodedBody } from "../../request/create-encode.js";
import { encode } from "../../request/encode.js";
import { inputsOf } from "../../request/operation.js";
import { writeMultipart } from "../../request/write-multipart.js";
import { describedFile } from "../../verify/http/described-file.js";
import { basicCredentials } from "../../verify/http/with-login.js";
import type { CallerCredentials } from "../contract.js";
import type { ChatOperation } from "../operation.js";

/** A request that is ready to send, in a form that can also be shown. */
export interface CaseRequest extends HttpRequest {
  readonly bytes: Buffer;
}

const table: Readonly<Record<string, ChatOperation>> = operations;

/**
 * Encodes the request of a case with the client's codec. `apiUrl` is the URL of the API, with `/api/v1`. Rejects with a `TypeError` if
 * a value cannot be a path segment, and with an `Error` if the contract has no such operation.
 */
export async function caseRequest(
  testCase: Pick<Case, "operationId" | "request">,
  apiUrl: string,
  credentials: Pick<CallerCredentials, "email" | "api_key"> | undefined,
): Promise<CaseRequest> {
  const operation = table[testCase.operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${testCase.operationId}`);
  const values = { ...testCase.request.header, ...caseValues(testCase) };
  const { method, path, query, headers: own, body } = encode(operation, values);
  const encoded = await serializeBody(body);
  const headers = {
    ...own,
    ...(credentials === undefined || operation.auth === false
      ? {}
      : { Authorization: basicCredentials(credentials.email, credentials.api_key) }),
    ...(encoded.type === undefined ? {} : { "Content-Type": encoded.type }),
  };
  return {
    method,
    url: `${apiUrl}${path}${query === "" ? "" : `?${query}`}`,
    headers,
    bytes: encoded.bytes,
    body: encoded.shown,
  };
}

/** Returns the parameters of a case as one flat object, as a client takes them: a described file becomes a `File`. */
export function caseValues({ operationId, request }: Pick<Case, "operationId" | "request">): Record<string, unknown> {
  const values = { ...request.path, ...request.query, ...request.body };
  const operation = table[operationId];
  const files = operation === undefined ? [] : inputsOf(operation).flatMap((one) => (one.isFile ? one.name : []));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (files.includes(name) ? describedFile(value) : undefined) ?? value,
    ]),
  );
}

async function serializeBody(
  body: EncodedBody | undefined,
): Promise<{ readonly bytes: Buffer; readonly type?: string; readonly shown?: HttpRequest["body"] }> {
  if (body === undefined) return { bytes: Buffer.alloc(0) };
  if (body.kind === "content") {
    const text = String(body.content);
    return { bytes: Buffer.from(text), type: body.type, shown: text };
  }
  const { type, bytes } = await writeMultipart(body.parts);
  return { bytes: Buffer.from(bytes), type, shown: body.parts as readonly HttpPart[] };
}
