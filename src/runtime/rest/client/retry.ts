import { waitSeconds } from "../../../http/retry-after.js";

/** Which calls are retried, and how often. */
export interface RetryOptions {
  /** Maximum number of attempts, including the first. Defaults to 3; 1 disables retries. */
  readonly attempts?: number;
  /** Maximum wait in seconds; a 429 that asks for more is returned. Defaults to 30. */
  readonly maxWaitSeconds?: number;
}

/**
 * Wraps `fetch` so that it retries after a 429, once `waitSeconds` have passed.
 *
 * It retries only GET and HEAD: other requests may already have taken effect. Aborting the request's
 * signal ends the wait. Throws a `RangeError` for an option out of range.
 */
export function retryingFetch(
  fetch: typeof globalThis.fetch,
  options: RetryOptions = {},
): (request: Request) => Promise<Response> {
  const { attempts = 3, maxWaitSeconds = 30 } = options;
  if (!(attempts >= 1)) throw new RangeError(`retry.attempts is ${attempts}: pass a number from 1`);
  if (!(maxWaitSeconds >= 0)) throw new RangeError(`retry.maxWaitSeconds is ${maxWaitSeconds}: pass a number from 0`);
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const last = !/^(?:GET|HEAD)$/.test(request.method) || attempt >= attempts;
      const response = await fetch(last ? request : request.clone());
      if (response.status !== 429 || last) return response;
      const wait = waitSeconds(response.headers);
      if (wait > maxWaitSeconds) return response;
      await response.body?.cancel();
      await delay(wait * 1000, request.signal);
    }
  };
}

/** Timers fire at once if they are given more, which is 24 days. */
const maxTimerMs = 2 ** 31 - 1;

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(milliseconds, maxTimerMs),
    );
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
