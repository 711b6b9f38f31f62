/** Runs work in the caller's queue. Resolves with undefined, without running it, if the queue is full. */
export type CallerQueue = <Result>(caller: string, work: () => Promise<Result>) => Promise<Result | undefined>;

/** Maximum number of waiting jobs per caller. */
export const maxWaiting = 1_000;

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/** Creates one queue per caller, so that a caller who sends many requests at once delays only their own. */
export function createCallerQueue(maxAtOnce: number): CallerQueue {
  const queues = new Map<string, Queue>();

  async function begin(queue: Queue): Promise<void> {
    if (queue.running < maxAtOnce) queue.running++;
    // `end` passes the slot on without changing `running`.
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
  }

  function end(caller: string, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next === undefined) queue.running--;
    else next();
    if (queue.running === 0) queues.delete(caller);
  }

  return async (caller, work) => {
    const queue = queues.get(caller) ?? { running: 0, waiting: [] };
    if (queue.waiting.length >= maxWaiting) return undefined;
    queues.set(caller, queue);
    await begin(queue);
    try {
      return await work();
    } finally {
      end(caller, queue);
    }
  };
}
