import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { notLoggedIn, readCredentials } from "../../../src/chat/server/credentials.js";
import { type Refusal, refuseUndocumented } from "../../../src/chat/server/index.js";
import type { Authenticate } from "../authentication.js";
import type { Clock } from "../clock.js";
import type { Caller } from "../services.js";
import { headerOf, writeJson } from "./node-http.js";

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

/** Says whether a user has to wait: a refusal with `Retry-After`, or undefined. */
type RateLimit = (userId: number) => Refusal | undefined;

/** How many users are remembered. The one that was silent for longest is forgotten, and so begins anew. */
export const maxLimitedUsers = 100_000;

/** Lets each user make so many requests a second, with as many at once as fit into one second (a token bucket). */
export function createRateLimit(perSecond: number, clock: Clock): RateLimit {
  // A Map that drops its first key walks all keys that were dropped before it, which takes longer than most requests.
  const buckets = new LRUCache<number, { tokens: number; at: number }>({ max: maxLimitedUsers });
  const size = Math.max(1, perSecond);
  return (userId) => {
    const now = clock.now();
    const { tokens, at } = buckets.get(userId) ?? { tokens: size, at: now };
    const filled = Math.min(size, tokens + (Math.max(0, now - at) / 1000) * perSecond);
    buckets.set(userId, { tokens: filled < 1 ? filled : filled - 1, at: now });
    if (filled >= 1) return undefined;
    const retryAfter = Math.ceil((1 - filled) / perSecond);
    return refuseUndocumented(
      429,
      { code: "RATE_LIMIT_HIT", msg: `Too many requests; wait ${retryAfter} seconds`, "retry-after": retryAfter },
      { "Retry-After": String(retryAfter) },
    );
  };
}
