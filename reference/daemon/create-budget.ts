/** An amount of something that several callers share, such as amount of memory. */
export interface Budget {
  /**
   * Takes an amount as soon as so much is left, first come first served, and gives the function that returns it. Rejects with the
   * signal's reason if the signal aborts before that, and with `BudgetQueueFull` if too many callers are waiting already.
   */
  readonly take: (amount: number, signal: AbortSignal) => Promise<() => void>;
}

/** Too many callers wait for the budget. */
export class BudgetQueueFull extends Error {
  override readonly name = "BudgetQueueFull";
}

interface Waiting {
  readonly amount: number;
  readonly begin: () => void;
}

/** Makes a budget that nobody can overdraw. No caller may take more than `total`. */
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
        // Those behind may need less.
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
