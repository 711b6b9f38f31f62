import { parseJson } from "../../parse-json.js";

/**
 * Whether a response refuses the request: its status is from 400 to 499, or from 500 with an error in the envelope, because the
 * requirements state the status of only a few errors. Without the envelope, a status from 500 means that the server failed.
 */
export function isRefusal({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status >= 400 && (status < 500 || isErrorEnvelope(parseJson(text)));
}

/** Whether a body is an error in the envelope: an object with `result` "error", a `msg` and a `code`. */
export function isErrorEnvelope(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { result, msg, code } = body as Readonly<Record<string, unknown>>;
  return result === "error" && typeof msg === "string" && typeof code === "string";
}
