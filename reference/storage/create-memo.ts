import type { Database } from "./database.js";

/** Gives the remembered value of a key, or computes and remembers it. */
export type Memo<Value> = (key: string, compute: () => Value) => Value;

/**
 * Remembers what was computed from the database for as long as nothing at all is written to it, so that nothing has to say what a
 * value depends on. Clients ask for the same page again and again, because the contract has no events. At most `most` values are
 * kept; the one that was asked for least recently goes first. `isWorthKeeping` passes over what is too large.
 */
export function createMemo<Value>(
  database: Pick<Database<unknown>, "version" | "isInTransaction">,
  most: number,
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
    // What is read within a transaction may be undone.
    if (database.isInTransaction()) return compute();
    const value = compute();
    if (value === undefined || !isWorthKeeping(value) || version !== database.version()) return value;
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > most && oldest !== undefined) values.delete(oldest);
    return value;
  };
}
