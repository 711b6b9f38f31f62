/** Which calls are retried, and how often. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first. Defaults to 3; 1 disables retries. */
  readonly attempts?: number;
  /** Maximum wait in seconds; a 429 that asks for more is returned. Defaults to 30. */
  readonly maxWaitSeconds?: number;
}

/**
 * Wraps `fetch` so that it retries after a 429 with `Retry-After`.
 *
 * It retries only GET: the contract has no idempotency key, so other requests may already have taken effect. Aborting the request's
 * signal ends the wait.
 */
export function retryingFetch(
  fetch: typeof globalThis.fetch,
  options: RetryOptions = {},
): (request: Request) => Promise<Response> {
  const { attempts = 3, maxWaitSeconds = 30 } = options;
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const last = request.method !== "GET" || attempt >= attempts;
      const response = await fetch(last ? request : request.clone());
      const wait = response.status === 429 && !last ? retryAfterSeconds(response.headers) : undefined;
      if (wait === undefined || wait > maxWaitSeconds) return response;
      await response.body?.cancel();
      await delay(wait * 1000, request.signal);
    }
  };
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/**
 * The wait in seconds that a `Retry-After` header asks for (RFC 9110, section 10.2.3), never negative. Accepts fractions of seconds, too.
 * Undefined if the header is missing or malformed. `now` is in milliseconds since the epoch.
 */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const value = headers.get("Retry-After")?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
