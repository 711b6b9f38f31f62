import { secondsNow } from "../clock.js";
import { isLongerThan } from "../limits.js";
import { findMessage } from "../messages/find-message.js";
import { notify } from "../messages/send-message.js";
import { badRequest } from "../refusals.js";
import { channelFragment } from "../rendering/channel-links.js";
import type { Operation, Services } from "../services.js";
import { countRows, type Database } from "../storage/database.js";
import type { Message, Realm, Reminder, User } from "../storage/tables.js";

/** Maximum length of a note in Unicode code points. */
const maxNoteLength = 1000;
/** The last second of the year 9999. */
const latestTimestamp = 253_402_300_799;
/** Maximum pending reminders per user. */
const maxPendingReminders = 1000;

/** Creates a message reminder, and delivers it immediately if it has no time (Create a message reminder). */
export function createCreateReminder(services: Services): Operation<"createReminder"> {
  const { database, clock } = services;
  return ({ parameters, caller: { user, realm } }) => {
    const { message_id: messageId, scheduled_delivery_timestamp: timestamp, note = "" } = parameters;
    const created = database.transaction(() => {
      const now = secondsNow(clock, realm);
      if (messageId !== undefined && findMessage(database, user, messageId) === undefined)
        throw badRequest("Invalid message(s)");
      if (timestamp !== undefined && timestamp < now)
        throw badRequest("scheduled_delivery_timestamp must not be in the past");
      if (timestamp !== undefined && timestamp > latestTimestamp)
        throw badRequest("scheduled_delivery_timestamp must not be after the year 9999");
      if (note.includes("\0")) throw badRequest("note must not contain null bytes");
      if (isLongerThan(note, maxNoteLength)) throw badRequest(`note must have at most ${maxNoteLength} characters`);
      if (countRows(database, "reminder", user.id) >= maxPendingReminders)
        throw badRequest(`You cannot have more than ${maxPendingReminders} pending reminders`);
      const row = { user_id: user.id, message_id: messageId ?? null, note };
      const { insertedId: id } = database.run(
        database.sql.insertInto("reminder").values({ ...row, realm_id: realm.id, due_at: timestamp ?? now }),
      );
      if (timestamp === undefined) deliverReminder(services, realm, { ...row, id });
      return { reminder_id: id };
    });
    services.reschedule();
    return created;
  };
}

/**
 * Delivers a reminder as a direct message from the notification bot and removes it, in one transaction (Create a message
 * reminder). If the user was deactivated, only removes it.
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

type Linked = Pick<Message, "id" | "channel_id" | "conversation_id" | "topic">;

/** Relative URL of a message within its topic or conversation, as clients of this kind of service use it. */
function messageLink(database: Database, message: Linked): string {
  return `#narrow/${place(database, message)}/near/${message.id}`;
}

function place(database: Database, { channel_id: channelId, conversation_id: conversationId, topic }: Linked): string {
  const { sql } = database;
  if (channelId !== null) {
    const channel = database.first(sql.selectFrom("channel").select("name").where("id", "=", channelId));
    return channelFragment({ id: channelId, name: channel?.name ?? "" }, topic);
  }
  const conversation = database.first(
    sql
      .selectFrom("conversation")
      .select("member_key")
      .where("id", "=", conversationId ?? 0),
  );
  return `dm/${conversation?.member_key ?? ""}-dm`;
}
