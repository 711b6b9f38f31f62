/** How long a write has to be answered once its run is aborted, in milliseconds. */
export const answerAfterAbortMs = 2_000;

const later = new WeakMap<AbortSignal, AbortSignal>();

/**
 * Returns a signal that aborts `answerAfterAbortMs` after another one, for the same reason: what was sent, and may have made something, is
 * answered first.
 */
export function abortLater(signal: AbortSignal): AbortSignal {
  const known = later.get(signal);
  if (known !== undefined) return known;
  const controller = new AbortController();
  later.set(signal, controller.signal);
  const abort = () => setTimeout(() => controller.abort(signal.reason), answerAfterAbortMs).unref();
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
