import type { FormattedError } from "../../http/malformed-requests.js";

/** An error in the API's envelope. */
export interface ErrorEnvelope {
  readonly result: "error";
  readonly msg: string;
  readonly code: string;
}

/** Builds the envelope of an error. The code defaults to the generic `BAD_REQUEST`. */
export function errorEnvelope(msg: string, code = "BAD_REQUEST"): ErrorEnvelope {
  return { result: "error", msg, code };
}

/** The envelope of an error as a response body. */
export function formatEnvelope(msg: string): FormattedError {
  return { type: "application/json", text: JSON.stringify(errorEnvelope(msg)) };
}
