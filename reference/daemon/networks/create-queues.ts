/** Runs work for a key after all earlier work for the same key. */
export type Queue<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

/** Creates one queue per key. Failed work does not block later work. */
export function createQueues<Key>(): Queue<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const result = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}
