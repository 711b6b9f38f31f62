import { secondsNow } from "../clock.js";
import { inTransaction, type Services } from "../services.js";
import { type Database, isPostgres } from "../storage/database.js";
import type { Realm, Reminder, ScheduledMessage } from "../storage/tables.js";
import { deliverReminder } from "./reminders.js";
import { deliverScheduledMessage } from "./scheduled-messages.js";

/** How long a row waits after a failed delivery. */
const retryAfterSeconds = 60;

/**
 * Delivers up to `max` due rows of an organization, earliest first. Each delivery is its own transaction, so that a crash
 * neither loses nor repeats one, and servers that deliver at the same time take different rows. Returns the number of attempts.
 *
 * With `onFault`, a failed row is due again a minute later, and the others are still delivered. Without it, the error is thrown.
 */
export async function deliverDue(
  services: Services,
  realm: Realm,
  {
    max = Number.MAX_SAFE_INTEGER,
    onFault,
  }: { readonly max?: number; readonly onFault?: (error: unknown) => void } = {},
): Promise<number> {
  for (let attempts = 0; attempts < max; attempts++) {
    let row: Due | undefined;
    try {
      const found = await inTransaction(services, "write", async (within) => {
        const due = await findDue(within, realm);
        row = due;
        await due?.deliver(within);
        return due;
      });
      if (found === undefined) return attempts;
    } catch (error) {
      if (onFault === undefined || row === undefined) throw error;
      onFault(error);
      await postpone(services, realm, row);
    }
  }
  return max;
}

/** A row that is due. */
interface Due {
  readonly table: "reminder" | "scheduled_message";
  readonly id: number;
  readonly deliver: (services: Services) => Promise<void>;
}

async function postpone(services: Services, realm: Realm, { table, id }: Due): Promise<void> {
  const due_at = secondsNow(services.clock, realm) + retryAfterSeconds;
  await inTransaction(services, "write", ({ database }) =>
    database.updateTable(table).set({ due_at }).where("realm_id", "=", realm.id).where("id", "=", id).execute(),
  );
}

/** Finds the earliest due row of an organization, and keeps it from other servers until the end of the transaction. */
async function findDue(
  { database, clock }: Pick<Services, "database" | "clock">,
  realm: Realm,
): Promise<Due | undefined> {
  const now = secondsNow(clock, realm);
  const reminder = await firstDue<Reminder>(database, "reminder", realm, now);
  const scheduled = await firstDue<ScheduledMessage>(database, "scheduled_message", realm, now);
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
  table: Due["table"],
  realm: Realm,
  now: number,
): Promise<Row | undefined> {
  const due = database
    .selectFrom(table)
    .selectAll()
    .where("realm_id", "=", realm.id)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
  const row = await (isPostgres(database) ? due.forUpdate().skipLocked() : due).executeTakeFirst();
  return row as Row | undefined;
}
