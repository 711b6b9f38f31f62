/** Does work when there is room for it. Work whose turn has not come when the signal aborts is not done; it rejects with the reason. */
export type Limit = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

/** Makes a limit of how much work is done at the same time. What comes first is done first. */
export function createLimit(most: number): Limit {
  const waiting = new Set<() => void>();
  let busy = 0;

  function room(signal: AbortSignal): Promise<void> {
    if (busy < most) {
      busy++;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Room is handed on, so that nobody takes it in between. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) busy--;
    else {
      waiting.delete(next);
      next();
    }
  }

  return async (signal, work) => {
    signal.throwIfAborted();
    await room(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
