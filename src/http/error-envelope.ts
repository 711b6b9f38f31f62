/** An error in the API's own envelope. */
export interface ErrorEnvelope {
  readonly result: "error";
  readonly msg: string;
  readonly code: string;
}

/** The envelope of an error; the code defaults to the generic `BAD_REQUEST`. */
export function errorEnvelope(msg: string, code = "BAD_REQUEST"): ErrorEnvelope {
  return { result: "error", msg, code };
}
