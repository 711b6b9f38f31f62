import type { IncomingMessage, ServerResponse } from "node:http";
import { notLoggedIn, readCredentials } from "../../../src/chat/server/credentials.js";
import type { Authenticate } from "../authenticate.js";
import type { Caller } from "../services.js";
import type { RateLimit } from "./rate-limit.js";
import { headerOf } from "./to-service-request.js";
import { writeJson } from "./write-json.js";

/** Finds who sends a request; when nobody is let in, answers the request and returns undefined. */
export type Admission = (request: IncomingMessage, response: ServerResponse) => Caller | undefined;

/** Makes the admission to what is served beside the operations: the same credentials, and the same limit of requests. */
export function createAdmission(authenticate: Authenticate, limit?: RateLimit): Admission {
  return (request, response) => {
    const credentials = readCredentials(headerOf(request));
    const caller = credentials && authenticate(credentials);
    const refusal = caller === undefined ? notLoggedIn() : limit?.(caller.user.id);
    if (refusal === undefined) return caller;
    const body = JSON.stringify({ result: "error", ...refusal.fields });
    writeJson(response, refusal.status, body, { ...refusal.headers, "Content-Type": "application/json" });
    return undefined;
  };
}
