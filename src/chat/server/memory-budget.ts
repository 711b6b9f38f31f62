/** How much memory requests and answers may take that are under way at the same time. */
export interface MemoryLimits {
  /** Bytes over all connections. */
  readonly maxBytes: number;
  /** Bytes of one caller. */
  readonly maxBytesPerCaller: number;
  /** Handlers that run at the same time for one caller; further requests of that caller wait for their turn. */
  readonly maxHandlersPerCaller: number;
}

/** 192 MiB, of which one caller gets a third, and 32 handlers at once. */
export const defaultMemoryLimits: MemoryLimits = {
  maxBytes: 192 * 1024 * 1024,
  maxBytesPerCaller: 64 * 1024 * 1024,
  maxHandlersPerCaller: 32,
};

/** What one request holds. */
export interface MemoryShare {
  /** False if the caller was refused memory, and none of what the caller holds has been released since. */
  readonly isAvailable: () => boolean;
  /** Takes memory, unless there is no room. Whatever its size, a caller's only share is granted while nobody else holds any. */
  readonly take: (bytes: number) => boolean;
  /** Gives everything back. */
  readonly release: () => void;
}

interface Account {
  held: number;
  wasRefused: boolean;
  shares: number;
}

/** Makes a function that opens a share of the budget for a request of a caller. */
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
        // Only who holds something will release something.
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
