import type { RefusedBody } from "../../server/rest/body-reader.js";
import type { OperationId } from "../operation-types.js";
import { type Refusal, refuseUndocumented } from "./refusal.js";

/** A response whose body is JSON or empty. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The requested operation. Undefined if the request matched none. */
  readonly operationId?: OperationId;
}

/** An error response with the code BAD_REQUEST. */
export function badRequest(status: number, msg: string): ServiceResponse {
  return refused(refuseUndocumented(status, { code: "BAD_REQUEST", msg }));
}

/** The response to a refused body. Closes the connection of a body that is too slow or too large. */
export function refusedBody({ status, message: msg }: RefusedBody): ServiceResponse {
  switch (status) {
    case 503:
      return busy(msg);
    case 507:
      return refused(refuseUndocumented(status, { code: "INTERNAL_SERVER_ERROR", msg }));
    case 408:
    case 413:
      return refused(refuseUndocumented(status, { code: "BAD_REQUEST", msg }, { Connection: "close" }));
    case 400:
    case 415:
      return badRequest(status, msg);
  }
}

/** The response while a memory limit is exceeded. */
export function busy(
  msg = "The server is processing too many large requests and responses; wait for earlier ones to finish, then try again",
): ServiceResponse {
  return refused(refuseUndocumented(503, { code: "SERVICE_UNAVAILABLE", msg }, { "Retry-After": "1" }));
}

/** The response of a refusal. */
export function refused({ status, fields, headers }: Refusal): ServiceResponse {
  return json(status, JSON.stringify(enveloped({ result: "error" }, fields)), headers);
}

/** Turns the response to a GET into that to a HEAD (RFC 9110, section 9.3.2). */
export function withoutBody({ headers, body, ...response }: ServiceResponse): ServiceResponse {
  return { ...response, headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) }, body: "" };
}

/** Adds the envelope in front of the fields. It overrides fields of the same name. */
export function enveloped(envelope: object, fields: unknown): object {
  return Object.assign({}, envelope, fields, envelope);
}

/** A response with a JSON text as its body. */
export function json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ServiceResponse {
  return { status, headers: { ...headers, "Content-Type": "application/json" }, body };
}
