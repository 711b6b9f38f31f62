/** Waits until it is the caller's turn. */
export type NextTurn = () => Promise<void>;

/**
 * Lets long work go on in turns: the event loop comes round once between two turns, whoever takes them. So it is never held up for
 * longer than one turn takes, however many work at the same time.
 */
export function createTurns(): NextTurn {
  const waiting: (() => void)[] = [];

  function give(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(give);
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(give);
    });
}

/** The turns that everything in the process shares. */
export const nextTurn: NextTurn = createTurns();

/** Carries out work that yields where others may have a turn. The result of work that never does is there at once. */
export function inTurns<Result>(work: Generator<void, Result>, nextTurn: NextTurn): Result | Promise<Result> {
  const { done, value } = work.next();
  return done ? value : goOn(work, nextTurn);
}

async function goOn<Result>(work: Generator<void, Result>, nextTurn: NextTurn): Promise<Result> {
  for (;;) {
    await nextTurn();
    const { done, value } = work.next();
    if (done) return value;
  }
}
