/** Limits for concurrent requests and responses. */
export interface MemoryLimits {
  /** Total bytes of all callers. */
  readonly maxBytes: number;
  /** Bytes per caller. */
  readonly maxBytesPerCaller: number;
  /** Concurrent handlers per caller. Further requests of that caller wait. */
  readonly maxHandlersPerCaller: number;
}

/** 192 MiB in total, and 64 MiB and 32 concurrent handlers per caller. */
export const defaultMemoryLimits: MemoryLimits = {
  maxBytes: 192 * 1024 * 1024,
  maxBytesPerCaller: 64 * 1024 * 1024,
  maxHandlersPerCaller: 32,
};

/** The memory of one request. */
export interface MemoryShare {
  /** False if the caller was refused memory while it held some, and has released none since. */
  readonly isAvailable: () => boolean;
  /** Takes memory; false if a limit is exceeded. Any amount is granted while no memory is taken. */
  readonly take: (bytes: number) => boolean;
  /** Releases all memory of the request. */
  readonly release: () => void;
}

/** Creates a budget: a function that opens a share for one request of a caller. */
export function createMemoryBudget({
  maxBytes,
  maxBytesPerCaller,
}: Omit<MemoryLimits, "maxHandlersPerCaller">): (caller: string) => MemoryShare {
  const heldBy = new Map<string, number>();
  const refused = new Set<string>();
  let total = 0;

  return (caller) => {
    let taken = 0;
    return {
      isAvailable: () => !refused.has(caller),
      take: (bytes) => {
        const held = heldBy.get(caller) ?? 0;
        const fits = held + bytes <= maxBytesPerCaller && total + bytes <= maxBytes;
        if (!fits && total > 0) {
          // A caller that holds no memory could never release any.
          if (held > 0) refused.add(caller);
          return false;
        }
        heldBy.set(caller, held + bytes);
        total += bytes;
        taken += bytes;
        return true;
      },
      release: () => {
        if (taken === 0) return;
        const left = (heldBy.get(caller) ?? 0) - taken;
        if (left === 0) heldBy.delete(caller);
        else heldBy.set(caller, left);
        refused.delete(caller);
        total -= taken;
        taken = 0;
      },
    };
  };
}
