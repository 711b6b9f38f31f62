import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { notLoggedIn, readCredentials } from "../../../src/chat/server/credentials.js";
import { type Refusal, refuseUndocumented } from "../../../src/chat/server/index.js";
import type { Authenticate } from "../authentication.js";
import type { Clock } from "../clock.js";
import type { Caller } from "../services.js";
import type { User } from "../storage/tables.js";
import { headerOf, writeJson } from "./node-http.js";

/** Authenticates a request. If that fails, sends the error response and returns undefined. */
export type Admission = (request: IncomingMessage, response: ServerResponse) => Promise<Caller | undefined>;

/** Creates an authentication function for paths other than operations, with the same credentials and rate limit. */
export function createAdmission(authenticate: Authenticate, limit?: RateLimit): Admission {
  return async (request, response) => {
    const credentials = readCredentials(headerOf(request));
    const caller = credentials && (await authenticate(credentials));
    const refusal = caller === undefined ? notLoggedIn() : await limit?.(caller.user);
    if (refusal === undefined) return caller;
    const body = JSON.stringify({ result: "error", ...refusal.fields });
    writeJson(response, refusal.status, body, { ...refusal.headers, "Content-Type": "application/json" });
    return undefined;
  };
}

/** Counts a request of a user. Returns a refusal with `Retry-After` if the user must wait. */
export type RateLimit = (user: Pick<User, "id" | "realm_id">) => Refusal | undefined | Promise<Refusal | undefined>;

/** Maximum users tracked. The user who has been idle longest is dropped, and starts with a full bucket. */
export const maxLimitedUsers = 100_000;

/** Creates a rate limit per user: a token bucket that allows bursts of one second's requests. */
export function createRateLimit(perSecond: number, clock: Clock): RateLimit {
  // Not a Map: finding its first key takes time proportional to the keys deleted before it, which exceeds the time of
  // most requests.
  const buckets = new LRUCache<number, { tokens: number; at: number }>({ max: maxLimitedUsers });
  const size = Math.max(1, perSecond);
  return ({ id: userId }) => {
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
