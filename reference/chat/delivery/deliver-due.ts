import { secondsNow } from "../clock.js";
import { inTransaction, type Services } from "../services.js";
import { type Database, isPostgres } from "../storage/database.js";
import type { Realm, Reminder, ScheduledMessage } from "../storage/tables.js";
import { deliverReminder } from "./reminders.js";
import type { PendingRow, Retries } from "./retries.js";
import { deliverScheduledMessage } from "./scheduled-messages.js";

/** Error handling of deliveries. */
export interface OnFailure {
  /** Holds failed rows, which are skipped until their retry. */
  readonly retries: Retries;
  readonly onFault: (error: unknown) => void;
}

/**
 * Delivers up to `max` due rows of an organization, earliest first. Each delivery is its own transaction, so that a crash
 * neither loses nor repeats one, and servers that deliver at the same time take different rows. Returns the number of attempts.
 *
 * With `onFailure`, a failed row is kept and the others are still delivered. Without it, the error is thrown.
 */
export async function deliverDue(
  services: Services,
  realm: Realm,
  { max = Number.MAX_SAFE_INTEGER, onFailure }: { readonly max?: number; readonly onFailure?: OnFailure } = {},
): Promise<number> {
  for (let attempts = 0; attempts < max; attempts++) {
    let row: PendingRow | undefined;
    try {
      const found = await inTransaction(services, "write", async (within) => {
        const due = await findDue(within, realm, onFailure?.retries);
        row = due;
        await due?.deliver(within);
        return due;
      });
      if (found === undefined) return attempts;
    } catch (error) {
      if (onFailure === undefined || row === undefined) throw error;
      onFailure.retries.hold(row);
      onFailure.onFault(error);
    }
  }
  return max;
}

interface Due extends PendingRow {
  readonly deliver: (services: Services) => Promise<void>;
}

/** Finds the earliest due row of an organization, and keeps it from other servers until the end of the transaction. */
async function findDue(
  { database, clock }: Pick<Services, "database" | "clock">,
  realm: Realm,
  retries: Retries | undefined,
): Promise<Due | undefined> {
  const now = secondsNow(clock, realm);
  const reminder = await firstDue<Reminder>(database, "reminder", realm, now, retries);
  const scheduled = await firstDue<ScheduledMessage>(database, "scheduled_message", realm, now, retries);
  if (reminder !== undefined && (scheduled === undefined || reminder.due_at <= scheduled.due_at)) {
    const deliver = (services: Services) => deliverReminder(services, realm, reminder);
    return { table: "reminder", id: reminder.id, deliver };
  }
  if (scheduled === undefined) return undefined;
  const deliver = (services: Services) => deliverScheduledMessage(services, realm, scheduled);
  return { table: "scheduled_message", id: scheduled.id, deliver };
}

async function firstDue<Row>(
  database: Database,
  table: PendingRow["table"],
  realm: Realm,
  now: number,
  retries: Retries | undefined,
): Promise<Row | undefined> {
  const due = database
    .selectFrom(table)
    .selectAll()
    .where("realm_id", "=", realm.id)
    .where("due_at", "<=", now)
    .$if(retries !== undefined, (query) => query.where("id", "not in", retries?.heldIds(table) ?? []))
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
  const row = await (isPostgres(database) ? due.forUpdate().skipLocked() : due).executeTakeFirst();
  return row as Row | undefined;
}
