import { sql as text } from "kysely";
import { secondsNow } from "../clock.js";
import type { Services } from "../services.js";
import type { Realm } from "../storage/tables.js";
import type { PendingRow, Retries } from "./create-retries.js";
import { deliverReminder } from "./deliver-reminder.js";
import { deliverScheduledMessage } from "./deliver-scheduled-message.js";

/** What is done about deliveries that fail. */
export interface OnFailure {
  /** Rows that failed wait there, and are passed over meanwhile. */
  readonly retries: Retries;
  readonly onFault: (error: unknown) => void;
}

interface Delivery extends PendingRow {
  readonly at: number;
  readonly deliver: () => void;
}

/**
 * Delivers what is due in an organization, the earliest first, but no more than `most`. Each delivery is a transaction of its own,
 * so that a crash neither loses one nor makes it twice. Returns how many were tried.
 *
 * With `onFailure`, one that fails stays, and the others go on. Without it, the fault is thrown.
 */
export function deliverDue(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  { most, onFailure }: { readonly most?: number; readonly onFailure?: OnFailure } = {},
): number {
  const deliveries = dueIn(services, realm, most, onFailure?.retries);
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

function dueIn(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  most = Number.MAX_SAFE_INTEGER,
  retries?: Retries,
): Delivery[] {
  const { database, clock } = services;
  const { sql } = database;
  const now = secondsNow(clock, realm);
  const isFree = (table: PendingRow["table"]) => retries?.isFree(table) ?? text<boolean>`true`;
  const reminders = sql
    .selectFrom("reminder")
    .selectAll()
    .where("realm_id", "=", realm.id)
    .where("due_at", "<=", now)
    .where(isFree("reminder"))
    .orderBy("due_at")
    .orderBy("id")
    .limit(most);
  const scheduled = sql
    .selectFrom("scheduled_message")
    .selectAll()
    .where("realm_id", "=", realm.id)
    .where("due_at", "<=", now)
    .where(isFree("scheduled_message"))
    .orderBy("due_at")
    .orderBy("id")
    .limit(most);
  return [
    ...database.all(reminders).map(
      (row): Delivery => ({
        table: "reminder",
        id: row.id,
        at: row.due_at,
        deliver: () => deliverReminder(services, realm, row),
      }),
    ),
    ...database.all(scheduled).map(
      (row): Delivery => ({
        table: "scheduled_message",
        id: row.id,
        at: row.due_at,
        deliver: () => deliverScheduledMessage(services, realm, row),
      }),
    ),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(0, most);
}
