/** Waits for the caller's next slice of the event loop. */
export type NextSlice = () => Promise<void>;

/**
 * Lets long work run in slices, so that the event loop stays responsive: it completes a round between two slices, no matter which
 * work they belong to. However many callers there are, it is blocked for one slice at a time.
 */
export function createTimeSlices(): NextSlice {
  const waiting: (() => void)[] = [];

  function startNext(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(startNext);
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(startNext);
    });
}

/** The slices that all work of the process shares. */
export const nextSlice: NextSlice = createTimeSlices();

/** Runs work that yields at the end of each slice. Returns the result synchronously if the work never yields. */
export function runInSlices<Result>(work: Generator<void, Result>, nextSlice: NextSlice): Result | Promise<Result> {
  const { done, value } = work.next();
  return done ? value : runRest(work, nextSlice);
}

async function runRest<Result>(work: Generator<void, Result>, nextSlice: NextSlice): Promise<Result> {
  for (;;) {
    await nextSlice();
    const { done, value } = work.next();
    if (done) return value;
  }
}
