import { type RawBuilder, sql } from "kysely";
import type { Clock } from "../clock.js";

/** A row that is to be delivered. */
export interface PendingRow {
  readonly table: "reminder" | "scheduled_message";
  readonly id: number;
}

/** The rows whose delivery failed, until they are tried again. Kept in memory: a new server tries them at once. */
export interface Retries {
  /** Lets a row wait from now on. */
  readonly hold: (row: PendingRow) => void;
  /** A condition on the rows of a table: those that do not wait. */
  readonly isFree: (table: PendingRow["table"]) => RawBuilder<boolean>;
  /** When the first of them is to be tried again, in milliseconds since 1970; undefined when none waits. */
  readonly next: () => number | undefined;
}

/** Makes the record of failed deliveries; each is tried again `delayMs` later by the clock. */
export function createRetries(clock: Clock, delayMs: number): Retries {
  // All wait equally long, so that the first to go in is the first to come out.
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
      waiting.set(key, { ...row, until: clock.now() + delayMs });
    },
    isFree: (table) => {
      release();
      const ids = [...waiting.values()].filter((row) => row.table === table).map(({ id }) => id);
      return sql`${sql.ref(`${table}.id`)} not in (select value from json_each(${JSON.stringify(ids)}))`;
    },
    next: () => {
      release();
      const [first] = waiting.values();
      return first?.until;
    },
  };
}
