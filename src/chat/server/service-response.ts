import type { Refusal } from "../../runtime/rest/server/refusal.js";
import type { FailService, ServiceResponse as Response } from "../../runtime/rest/server/service.js";

/** The codes of errors that are not of the request. The others have the generic `BAD_REQUEST`. */
const codes: Readonly<Record<number, string>> = {
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
  507: "INTERNAL_SERVER_ERROR",
};

/** Makes an error of the service itself. */
export const fail: FailService = (status, msg, headers) =>
  respondError(status, { code: codes[status] ?? "BAD_REQUEST", msg }, headers);

/** The response of a refusal. */
export function refused({ status, fields, headers }: Refusal): Response<never> {
  return respondError(status, fields, headers);
}

function respondError(
  status: number,
  fields: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response<never> {
  const body = JSON.stringify(enveloped({ result: "error" }, fields));
  return { status, headers: { ...headers, "Content-Type": "application/json" }, body };
}

/** Adds the envelope in front of the fields. It overrides fields of the same name. */
export function enveloped(envelope: object, fields: unknown): object {
  return Object.assign({}, envelope, fields, envelope);
}
