/** Runs work when it is its turn. Undefined if too much of the caller's work waits already. */
export type CallerQueue = <Result>(caller: string, work: () => Promise<Result>) => Promise<Result | undefined>;

/** How much of one caller's work may wait. */
const maxWaiting = 1_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Makes a queue in which each caller has a line: whoever sends many requests at once waits behind themselves alone. */
export function createCallerQueue(maxAtOnce: number): CallerQueue {
  const lines = new Map<string, Line>();

  async function begin(line: Line): Promise<void> {
    if (line.running < maxAtOnce) line.running++;
    // Whoever ends hands the place on.
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
  }

  function end(caller: string, line: Line): void {
    const next = line.waiting.shift();
    if (next === undefined) line.running--;
    else next();
    if (line.running === 0) lines.delete(caller);
  }

  return async (caller, work) => {
    const line = lines.get(caller) ?? { running: 0, waiting: [] };
    if (line.waiting.length >= maxWaiting) return undefined;
    lines.set(caller, line);
    await begin(line);
    try {
      return await work();
    } finally {
      end(caller, line);
    }
  };
}
