import type { IncomingMessage, ServerResponse } from "node:http";
import { notLoggedIn, readCredentials } from "../../../src/chat/server/credentials.js";
import type { Authenticate } from "../authentication.js";
import type { Caller } from "../services.js";
import { headerOf, writeJson } from "./node-http.js";
import type { RateLimit } from "./rate-limit.js";

/** Returns the caller of a request. If there is none, or the rate limit is reached, sends the error response and returns undefined. */
export type Admission = (request: IncomingMessage, response: ServerResponse) => Promise<Caller | undefined>;

/** Creates the admission to paths other than operations, with the same credentials and rate limit. */
export function createAdmission(authenticate: Authenticate, limit?: RateLimit): Admission {
  return async (request, response) => {
    const credentials = readCredentials(headerOf(request));
    const caller = credentials && (await authenticate(credentials));
    const refusal = caller === undefined ? notLoggedIn() : await limit?.(caller.user);
    if (refusal === undefined) return caller;
    const body = JSON.stringify({ result: "error", ...(refusal.fields as object) });
    writeJson(response, refusal.status, body, { ...refusal.headers, "Content-Type": "application/json" });
    return undefined;
  };
}
