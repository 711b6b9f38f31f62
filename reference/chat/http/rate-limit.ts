import { type Refusal, refuseUndocumented } from "../../../src/chat/server/index.js";
import type { Clock } from "../clock.js";

/** Says whether a user has to wait: a refusal with `Retry-After`, or undefined. */
export type RateLimit = (userId: number) => Refusal | undefined;

/** How many users are remembered; who has not called for longest is forgotten, and so begins anew. */
const mostUsers = 100_000;

/** Lets each user make so many requests a second, with as many at once as fit into one second (a token bucket). */
export function createRateLimit(perSecond: number, clock: Clock): RateLimit {
  const buckets = new Map<number, { tokens: number; at: number }>();
  const size = Math.max(1, perSecond);
  return (userId) => {
    const now = clock.now();
    const { tokens, at } = buckets.get(userId) ?? { tokens: size, at: now };
    const filled = Math.min(size, tokens + (Math.max(0, now - at) / 1000) * perSecond);
    buckets.delete(userId);
    buckets.set(userId, { tokens: filled < 1 ? filled : filled - 1, at: now });
    const [oldest] = buckets.keys();
    if (buckets.size > mostUsers && oldest !== undefined) buckets.delete(oldest);
    if (filled >= 1) return undefined;
    const retryAfter = Math.ceil((1 - filled) / perSecond);
    return refuseUndocumented(
      429,
      { code: "RATE_LIMIT_HIT", msg: `Too many requests; wait ${retryAfter} seconds`, "retry-after": retryAfter },
      { "Retry-After": String(retryAfter) },
    );
  };
}
