/** The wait in seconds after a 429 whose `Retry-After` is missing or malformed, and the shortest wait after any 429. */
const minWaitSeconds = 1;

/** How many whole seconds to wait after a 429 before the next attempt, at least one. */
export function waitSeconds(headers: Headers, now?: number): number {
  return retryAfterSeconds(headers, now) ?? minWaitSeconds;
}

/**
 * The wait that a `Retry-After` header asks for, in whole seconds, rounded up and at least one. Undefined if the header is missing or
 * malformed. `now` is in milliseconds since the epoch.
 */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const parsed = parseRetryAfter(headers.get("Retry-After"));
  if (parsed === undefined) return undefined;
  return Math.max(minWaitSeconds, Math.ceil("seconds" in parsed ? parsed.seconds : (parsed.date - now) / 1000));
}

/** The value of a `Retry-After` header: a delay, or a date in milliseconds since the epoch. */
export type RetryAfter = { readonly seconds: number } | { readonly date: number };

// `Date.parse` reads much that is not a date of HTTP, such as `-1` and `1,2`.
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d (?:GMT|\d{4})$/;

/**
 * Parses a `Retry-After` header (RFC 9110, section 10.2.3): digits, or a date in any of the three formats of HTTP (section 5.6.7). Also
 * accepts fractions of seconds, which some servers send. Undefined if the header is missing or malformed.
 */
export function parseRetryAfter(header: string | null | undefined): RetryAfter | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return { seconds: Number(value) };
  if (!httpDate.test(value)) return undefined;
  // The oldest of the formats has no zone and means UTC.
  const date = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(date) ? undefined : { date };
}
