import type { Database } from "./database.js";

/** Returns the cached value of a key, or computes and caches it. */
export type Memo<Value> = (key: string, compute: () => Value) => Value;

/**
 * Caches values computed from the database until the next write of any kind, so that values need no list of dependencies.
 * Clients poll the same page, because the contract has no events. Keeps at most `max` values and evicts the least recently used
 * one. `isWorthKeeping` rejects values that are too large.
 */
export function createMemo<Value>(
  database: Pick<Database<unknown>, "version" | "isInTransaction">,
  max: number,
  isWorthKeeping: (value: Value) => boolean = () => true,
): Memo<Value> {
  const values = new Map<string, Value>();
  let version = database.version();
  return (key, compute) => {
    if (version !== database.version()) {
      values.clear();
      version = database.version();
    }
    const known = values.get(key);
    if (known !== undefined) {
      values.delete(key);
      values.set(key, known);
      return known;
    }
    // Writes that a transaction has read may be rolled back.
    if (database.isInTransaction()) return compute();
    const value = compute();
    if (value === undefined || !isWorthKeeping(value) || version !== database.version()) return value;
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > max && oldest !== undefined) values.delete(oldest);
    return value;
  };
}
