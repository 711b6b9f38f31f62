import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { type Refusal, refuseUndocumented } from "../../../src/chat/server/index.js";
import type { Clock } from "../clock.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/** Counts a request of a user. Returns a refusal with `Retry-After` if the user must wait. */
export type RateLimit = (user: Pick<User, "id" | "realm_id">) => Promise<Refusal | undefined>;

/** A bucket that gains one request each `intervalMs`. A full one holds the requests of one second, but at least one. */
interface Bucket {
  readonly intervalMs: number;
  /** A bucket that needs longer than this to fill up has no request left. */
  readonly minBeforeFullMs: number;
  /** No bucket needs longer than this to fill up unless the clock was set back after it was written. Such a bucket counts as full. */
  readonly maxBeforeFullMs: number;
}

function createBucket(perSecond: number): Bucket {
  const intervalMs = 1000 / perSecond;
  const emptyMs = Math.max(1000, intervalMs);
  // A sum of intervals is not exact.
  return { intervalMs, minBeforeFullMs: emptyMs - 0.999 * intervalMs, maxBeforeFullMs: 2 * emptyMs };
}

/** Maximum users tracked. The user who has been idle longest is dropped, and starts with a full bucket. */
export const maxLimitedUsers = 100_000;

/** Creates a rate limit per user for a database with one server, which counts in memory. It allows bursts of one second's requests. */
export function createRateLimit(perSecond: number, clock: Clock): RateLimit {
  const { intervalMs, minBeforeFullMs, maxBeforeFullMs } = createBucket(perSecond);
  // Not a Map: finding its first key takes time proportional to the keys deleted before it, which exceeds the time of
  // most requests.
  const fullAts = new LRUCache<number, number>({ max: maxLimitedUsers });
  return async ({ id }) => {
    const now = clock.now();
    const known = fullAts.get(id) ?? now;
    const fullAt = known > now && known <= now + maxBeforeFullMs ? known : now;
    if (fullAt > now + minBeforeFullMs) return tooManyRequests(intervalMs);
    fullAts.set(id, fullAt + intervalMs);
    return undefined;
  };
}

/**
 * Like `createRateLimit`, for a PostgreSQL database with any number of servers. It counts in the database, by the clock of the database, in
 * one statement.
 */
export function createSharedRateLimit(perSecond: number, database: Database): RateLimit {
  const { intervalMs, minBeforeFullMs, maxBeforeFullMs } = createBucket(perSecond);
  const now = sql`(extract(epoch from statement_timestamp()) * 1000)::double precision`;
  const fullAt = sql`case when rate_limit.full_at_ms between ${now} and ${now} + ${sql.lit(maxBeforeFullMs)}
    then rate_limit.full_at_ms else ${now} end`;
  return async ({ id, realm_id }) => {
    const { rows } = await sql`
      insert into rate_limit (realm_id, user_id, full_at_ms) values (${realm_id}, ${id}, ${now} + ${sql.lit(intervalMs)})
      on conflict (realm_id, user_id) do update set full_at_ms = ${fullAt} + ${sql.lit(intervalMs)}
      where ${fullAt} <= ${now} + ${sql.lit(minBeforeFullMs)}
      returning user_id`.execute(database);
    return rows.length === 0 ? tooManyRequests(intervalMs) : undefined;
  };
}

/** A request is possible after one interval at the latest. */
function tooManyRequests(intervalMs: number): Refusal {
  const retryAfter = Math.ceil(intervalMs / 1000);
  return refuseUndocumented(
    429,
    { code: "RATE_LIMIT_HIT", msg: `Too many requests; wait ${retryAfter} seconds`, "retry-after": retryAfter },
    { "Retry-After": String(retryAfter) },
  );
}
