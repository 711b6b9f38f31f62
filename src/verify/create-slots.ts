/** Shares the concurrency of a run among its parts. */
export interface Slots {
  /** Waits for this many free slots, in the order of the calls, and keeps them until `work` is settled. */
  readonly hold: <Result>(wanted: number, work: () => Promise<Result>) => Promise<Result>;
}

/** Creates slots. `wanted` must not exceed `count`. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: { readonly wanted: number; readonly start: () => void }[] = [];
  const startNext = () => {
    for (let [next] = waiting; next !== undefined && next.wanted <= free; [next] = waiting) {
      waiting.shift();
      free -= next.wanted;
      next.start();
    }
  };
  return {
    hold: async (wanted, work) => {
      await new Promise<void>((start) => {
        waiting.push({ wanted, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        free += wanted;
        startNext();
      }
    },
  };
}
