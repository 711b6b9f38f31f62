import { findMessage } from "../messages/find-message.js";
import { messageLink } from "../messages/message-link.js";
import { notify } from "../messages/notify.js";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm, Reminder, User } from "../storage/tables.js";

/**
 * Delivers a reminder as a direct message of the notification bot (Create a message reminder) and removes it, together. One whose
 * user was deactivated is only removed.
 */
export function deliverReminder(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  reminder: Pick<Reminder, "id" | "user_id" | "message_id" | "note">,
): void {
  const { database } = services;
  const { sql } = database;
  database.transaction(() => {
    const { changes } = database.run(sql.deleteFrom("reminder").where("id", "=", reminder.id));
    const user = database.first(sql.selectFrom("user").selectAll().where("id", "=", reminder.user_id));
    if (changes === 0 || user === undefined || user.is_active === 0) return;
    notify(services, realm, user.id, [subject(database, user, reminder.message_id), quote(reminder.note)].join(""));
  });
}

function subject(database: Database, user: User, messageId: number | null): string {
  if (messageId === null) return "You asked for a reminder.";
  const message = findMessage(database, user, messageId);
  if (message === undefined) return "You asked for a reminder of a message that you can no longer read.";
  return `You asked for a reminder of [this message](${messageLink(database, message)}).`;
}

function quote(note: string): string {
  if (note === "") return "";
  const lines = note.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
  return `\n\nNote:\n\n${lines.join("\n")}`;
}
