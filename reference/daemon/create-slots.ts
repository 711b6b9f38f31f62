/** A number of slots, such as of memory, that callers share. */
export interface Slots {
  /**
   * Takes a slot as soon as one is free, first come, first served. Resolves to the function that returns it. Rejects
   * with the signal's reason if the signal aborts first, and with `SlotQueueFull` if too many callers are already waiting.
   */
  readonly take: (signal: AbortSignal) => Promise<() => void>;
}

/** Thrown if too many callers are waiting for a slot. */
export class SlotQueueFull extends Error {
  override readonly name = "SlotQueueFull";
}

/** Creates slots, of which at most `count` are taken at the same time. */
export function createSlots(count: number, maxWaiting: number): Slots {
  const waiting = new Set<() => void>();
  let free = count;

  function leave(): void {
    free++;
    const [next] = waiting;
    next?.();
  }

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (free === 0) {
        if (waiting.size >= maxWaiting) throw new SlotQueueFull();
        await new Promise<void>((resolve, reject) => {
          const enter = () => {
            waiting.delete(enter);
            signal.removeEventListener("abort", giveUp);
            // Taken here, so that no other caller takes it before this one continues.
            free--;
            resolve();
          };
          const giveUp = () => {
            waiting.delete(enter);
            reject(signal.reason);
          };
          waiting.add(enter);
          signal.addEventListener("abort", giveUp, { once: true });
        });
      } else free--;
      return leave;
    },
  };
}
