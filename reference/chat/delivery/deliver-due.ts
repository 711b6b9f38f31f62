import { type RawBuilder, sql } from "kysely";
import { type Clock, secondsNow } from "../clock.js";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm, Reminder, ScheduledMessage } from "../storage/tables.js";
import { deliverReminder } from "./reminders.js";
import { deliverScheduledMessage } from "./scheduled-messages.js";

/** Error handling of deliveries. */
export interface OnFailure {
  /** Holds failed rows, which are skipped until their retry. */
  readonly retries: Retries;
  readonly onFault: (error: unknown) => void;
}

interface Delivery extends PendingRow {
  readonly at: number;
  readonly deliver: () => void;
}

/**
 * Delivers up to `max` due rows of an organization, earliest first. Each delivery is its own transaction, so that a crash
 * neither loses nor repeats one. Returns the number of attempts.
 *
 * With `onFailure`, a failed row is kept and the others are still delivered. Without it, the error is thrown.
 */
export function deliverDue(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  { max, onFailure }: { readonly max?: number; readonly onFailure?: OnFailure } = {},
): number {
  const deliveries = dueDeliveries(services, realm, max, onFailure?.retries);
  for (const { table, id, deliver } of deliveries) {
    try {
      deliver();
    } catch (error) {
      if (onFailure === undefined) throw error;
      onFailure.retries.hold({ table, id });
      onFailure.onFault(error);
    }
  }
  return deliveries.length;
}

function dueDeliveries(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  max = Number.MAX_SAFE_INTEGER,
  retries?: Retries,
): Delivery[] {
  const { database, clock } = services;
  const now = secondsNow(clock, realm);
  const due = <Table extends keyof PendingRows>(table: Table) =>
    database.all(sql<PendingRows[Table]>`
      select * from ${sql.table(table)}
      where realm_id = ${realm.id} and due_at <= ${now} and ${retries?.isFree(table) ?? sql`true`}
      order by due_at, id limit ${max}`);
  const reminders = due("reminder").map(
    (row): Delivery => ({
      ...{ table: "reminder", id: row.id, at: row.due_at },
      deliver: () => deliverReminder(services, realm, row),
    }),
  );
  const scheduled = due("scheduled_message").map(
    (row): Delivery => ({
      ...{ table: "scheduled_message", id: row.id, at: row.due_at },
      deliver: () => deliverScheduledMessage(services, realm, row),
    }),
  );
  return [...reminders, ...scheduled].sort((a, b) => a.at - b.at).slice(0, max);
}

/** The earliest due time of an organization. */
export interface NextDue {
  readonly realmId: number;
  /** UNIX seconds of the server's clock. */
  readonly at: number;
}

/**
 * Finds the organizations with pending reminders or scheduled messages, most urgent first, ignoring rows that wait for a retry.
 * The query skips through the index from one organization to the next, so organizations without pending rows cost nothing.
 */
export function nextDue(database: Database, { isFree }: Pick<Retries, "isFree">): NextDue[] {
  const pending = (name: keyof PendingRows) => {
    const table = sql.table(name);
    return sql`
      with recursive organization(id) as (
        select min(realm_id) from ${table}
        union all
        select (select min(realm_id) from ${table} where realm_id > organization.id) from organization where id is not null
      )
      select id, (
        select due_at from ${table} where realm_id = organization.id and ${isFree(name)} order by due_at limit 1
      ) as due_at from organization where id is not null`;
  };
  return database.all(sql<NextDue>`
    select realm.id as realmId, min(due_at) - realm.clock_offset_seconds as at from (
      select * from (${pending("reminder")}) union all select * from (${pending("scheduled_message")})
    ) as pending join realm on realm.id = pending.id
    where due_at is not null
    group by realm.id order by at`);
}

/** The tables with rows that wait for delivery. */
interface PendingRows {
  readonly reminder: Reminder;
  readonly scheduled_message: ScheduledMessage;
}

/** A row waiting for delivery. */
interface PendingRow {
  readonly table: keyof PendingRows;
  readonly id: number;
}

/** Rows whose delivery failed, until their next attempt. Kept in memory, so a restarted server retries them immediately. */
interface Retries {
  /** Starts the retry delay of a row. */
  readonly hold: (row: PendingRow) => void;
  /** SQL condition that selects the rows of a table that are not waiting for a retry. */
  readonly isFree: (table: PendingRow["table"]) => RawBuilder<boolean>;
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
