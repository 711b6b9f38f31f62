/**
 * Returns a signal that aborts some time after another one does: what was sent, and may have made something, is answered first. It aborts
 * for the same reason.
 */
export function abortLater(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const abort = () => setTimeout(() => later.abort(signal.reason), ms).unref();
  if (signal.aborted) later.abort(signal.reason);
  else signal.addEventListener("abort", abort, { once: true });
  return later.signal;
}

/** How long a write has to be answered once its run is aborted, in milliseconds. */
export const answerAfterAbortMs = 2_000;
