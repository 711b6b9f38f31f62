/** A limited amount that several callers share, such as memory. */
export interface Budget {
  /**
   * Takes an amount as soon as it is available, first come, first served. Resolves to the function that returns it.
   * Rejects with the signal's reason if the signal aborts first, and with `BudgetQueueFull` if too many callers are
   * already waiting.
   */
  readonly take: (amount: number, signal: AbortSignal) => Promise<() => void>;
}

/** Thrown if too many callers are waiting for a budget. */
export class BudgetQueueFull extends Error {
  override readonly name = "BudgetQueueFull";
}

interface Waiting {
  readonly amount: number;
  readonly begin: () => void;
}

/** Creates a budget that is never exceeded. No caller may take more than `total`. */
export function createBudget(total: number, maxWaiting: number): Budget {
  const queue = new Set<Waiting>();
  let free = total;

  function serve(): void {
    for (const next of queue) {
      if (next.amount > free) return;
      queue.delete(next);
      free -= next.amount;
      next.begin();
    }
  }

  function wait(amount: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = { amount, begin };
      function begin() {
        signal.removeEventListener("abort", giveUp);
        resolve();
      }
      function giveUp() {
        queue.delete(next);
        reject(signal.reason);
        // Callers further back may need less.
        serve();
      }
      queue.add(next);
      signal.addEventListener("abort", giveUp, { once: true });
      serve();
    });
  }

  return {
    take: async (amount, signal) => {
      signal.throwIfAborted();
      if (queue.size >= maxWaiting) throw new BudgetQueueFull();
      await wait(amount, signal);
      return () => {
        free += amount;
        serve();
      };
    },
  };
}
