import type { Clock } from "../clock.js";

/** A row waiting for delivery. */
export interface PendingRow {
  readonly table: "reminder" | "scheduled_message";
  readonly id: number;
}

/** Rows whose delivery failed, until their next attempt. Kept in memory, so a restarted server retries them immediately. */
export interface Retries {
  /** Starts the retry delay of a row. */
  readonly hold: (row: PendingRow) => void;
  /** The ids of the rows of a table that wait for a retry; never empty, because `in` takes at least one. */
  readonly heldIds: (table: PendingRow["table"]) => number[];
  /** Time of the next retry in milliseconds since 1970; undefined if none is pending. */
  readonly next: () => number | undefined;
}

/** Creates the record of failed deliveries. Each is retried after `delayMs`. */
export function createRetries(clock: Clock, delayMs: number): Retries {
  // All delays are equal, so rows leave in the order in which they came.
  const waiting = new Map<string, PendingRow & { readonly until: number }>();

  function release(): void {
    for (const [key, { until }] of waiting) {
      if (until > clock.now()) return;
      waiting.delete(key);
    }
  }

  return {
    hold: (row) => {
      const key = `${row.table} ${row.id}`;
      waiting.delete(key);
      waiting.set(key, { table: row.table, id: row.id, until: clock.now() + delayMs });
    },
    heldIds: (table) => {
      release();
      return [0, ...[...waiting.values()].filter((row) => row.table === table).map(({ id }) => id)];
    },
    next: () => {
      release();
      const [first] = waiting.values();
      return first?.until;
    },
  };
}
