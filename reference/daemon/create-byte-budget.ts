/** Bytes of memory that several callers share. */
export interface ByteBudget {
  /**
   * Takes bytes as soon as there are enough, first come first served, and gives the function that returns them. Rejects with the
   * signal's reason if the signal aborts before that, and with `BudgetQueueFull` if too many callers are waiting already.
   */
  readonly take: (bytes: number, signal: AbortSignal) => Promise<() => void>;
}

/** Too many callers wait for the budget. */
export class BudgetQueueFull extends Error {
  override readonly name = "BudgetQueueFull";
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** Makes a budget that nobody can overdraw. No caller may take more than `maxBytes`. */
export function createByteBudget(maxBytes: number, maxWaiting: number): ByteBudget {
  const queue = new Set<Waiting>();
  let free = maxBytes;

  function serve(): void {
    for (const next of queue) {
      if (next.bytes > free) return;
      queue.delete(next);
      free -= next.bytes;
      next.begin();
    }
  }

  function wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = { bytes, begin };
      function begin() {
        signal.removeEventListener("abort", giveUp);
        resolve();
      }
      function giveUp() {
        queue.delete(next);
        reject(signal.reason);
        // Those behind may need less.
        serve();
      }
      queue.add(next);
      signal.addEventListener("abort", giveUp, { once: true });
      serve();
    });
  }

  return {
    take: async (bytes, signal) => {
      signal.throwIfAborted();
      if (queue.size >= maxWaiting) throw new BudgetQueueFull();
      await wait(bytes, signal);
      return () => {
        free += bytes;
        serve();
      };
    },
  };
}
