import { operations } from "../../../generated/chat/operations.js";
import type { Case } from "../../contract/rest/cases.js";
import type { HttpRequest } from "../../judge/http-message.js";
import { describedFile } from "../../verify/http/described-file.js";
import { basicCredentials } from "../../verify/http/with-login.js";
import { encodeRequest } from "../codec/encode-request.js";
import type { CallerCredentials } from "../contract.js";
import type { Operation } from "../operation.js";

/** A request that is ready to send, in a form that can also be shown. */
export interface CaseRequest extends HttpRequest {
  readonly bytes: Buffer;
}

const table: Readonly<Record<string, Operation>> = operations;

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
  // The codec does not encode headers, so those of the case are added below.
  const { method, path, query, body } = encodeRequest(operation, caseValues(testCase));
  const encoded = await encodeBody(body);
  const headers = {
    ...Object.fromEntries(Object.entries(testCase.request.header).map(([name, value]) => [name, String(value)])),
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
    ...(encoded.shown === undefined ? {} : { body: encoded.shown }),
  };
}

/** Returns the parameters of a case as one flat object, as a client takes them: a described file becomes a `File`. */
export function caseValues({ operationId, request }: Pick<Case, "operationId" | "request">): Record<string, unknown> {
  const values = { ...request.path, ...request.query, ...request.body };
  const kinds = table[operationId]?.parameters ?? {};
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (kinds[name] === "file" ? describedFile(value) : undefined) ?? value,
    ]),
  );
}

interface EncodedBody {
  readonly bytes: Buffer;
  readonly type?: string;
  readonly shown?: HttpRequest["body"];
}

async function encodeBody(body: URLSearchParams | FormData | undefined): Promise<EncodedBody> {
  if (body === undefined) return { bytes: Buffer.alloc(0) };
  if (body instanceof URLSearchParams) {
    const text = body.toString();
    return { bytes: Buffer.from(text), type: "application/x-www-form-urlencoded", shown: text };
  }
  // `Response` encodes the parts and adds the boundary to the content type.
  const written = new Response(body);
  const type = written.headers.get("Content-Type") ?? "";
  return { bytes: Buffer.from(await written.arrayBuffer()), type, shown: [...body] };
}
