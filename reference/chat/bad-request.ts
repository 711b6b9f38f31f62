import { type Refusal, refuse } from "../../src/chat/server/index.js";

/** The refusal of a generic failure (Errors: `BAD_REQUEST`), with a text for people. */
export function badRequest(msg: string): Refusal<400, { readonly code: "BAD_REQUEST"; readonly msg: string }> {
  return refuse(400, { code: "BAD_REQUEST", msg });
}
