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

interface Account {
  held: number;
  wasRefused: boolean;
  shares: number;
}

/** Creates a budget: a function that opens a share for one request of a caller. */
export function createMemoryBudget({
  maxBytes,
  maxBytesPerCaller,
}: Omit<MemoryLimits, "maxHandlersPerCaller">): (caller: string) => MemoryShare {
  const accounts = new Map<string, Account>();
  let held = 0;

  return (caller) => {
    let taken = 0;

    function take(bytes: number): boolean {
      if (bytes <= 0) return true;
      const account = accounts.get(caller) ?? { held: 0, wasRefused: false, shares: 0 };
      const fits = account.held + bytes <= maxBytesPerCaller && held + bytes <= maxBytes;
      if (!fits && held > 0) {
        // A caller that holds no memory could never release any.
        account.wasRefused = account.held > 0;
        return false;
      }
      if (taken === 0) account.shares++;
      accounts.set(caller, account);
      account.held += bytes;
      held += bytes;
      taken += bytes;
      return true;
    }

    function release(): void {
      const account = accounts.get(caller);
      if (taken === 0 || account === undefined) return;
      account.held -= taken;
      held -= taken;
      taken = 0;
      account.wasRefused = false;
      account.shares--;
      if (account.shares === 0) accounts.delete(caller);
    }

    return { isAvailable: () => accounts.get(caller)?.wasRefused !== true, take, release };
  };
}
