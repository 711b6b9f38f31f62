/** Does work for a key after the work that was given for the same key before. */
export type Queue<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

/** Makes queues, one for each key. Work that fails does not hold up what stands behind it. */
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
