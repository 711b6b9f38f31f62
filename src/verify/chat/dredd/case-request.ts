import { operations } from "../../../../generated/chat/operations.js";
import { encodeRequest } from "../../../chat/codec/encode-request.js";
import type { Operation } from "../../../chat/operation.js";
import type { Case } from "../../../contract/chat/cases.js";
import { basicCredentials } from "../basic-credentials.js";
import { caseValues } from "../case-values.js";
import type { HttpRequest } from "../curl-line.js";
import type { CallerCredentials } from "../states-client.js";

/** A request that is ready to be sent, and as people read it. */
export interface CaseRequest extends HttpRequest {
  readonly bytes: Buffer;
}

const table: Readonly<Record<string, Operation>> = operations;

/**
 * Encodes the request of a case with the codec of the client. `apiUrl` is where the API is, with `/api/v1`. Rejects with a
 * `TypeError` when a value cannot stand in a path, and with an `Error` when the contract has no such operation.
 */
export async function caseRequest(
  one: Case,
  apiUrl: string,
  credentials: Pick<CallerCredentials, "email" | "api_key"> | undefined,
): Promise<CaseRequest> {
  const operation = table[one.operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${one.operationId}`);
  // A described header of its own is no parameter that the codec puts into path, query or body.
  const { method, path, query, body } = encodeRequest(operation, caseValues(one));
  const encoded = await encodeBody(body);
  const headers = {
    ...Object.fromEntries(Object.entries(one.request.header).map(([name, value]) => [name, String(value)])),
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
  // `Response` writes the parts, and the boundary into the type.
  const written = new Response(body);
  const type = written.headers.get("Content-Type") ?? "";
  return { bytes: Buffer.from(await written.arrayBuffer()), type, shown: [...body] };
}
