/**
 * The seconds that a `Retry-After` header asks to wait: delay-seconds or an HTTP date, never negative. Undefined without a
 * readable header.
 *
 * Source: RFC 9110, section 10.2.3. `now` is in milliseconds since the epoch.
 */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("Retry-After")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
