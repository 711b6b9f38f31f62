import { findChannel } from "../access/find-channel.js";
import { findMessage } from "../access/find-message.js";
import { findCaller } from "../authentication.js";
import { secondsNow } from "../clock.js";
import { isLongerThan } from "../limits.js";
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
  return async ({ parameters, caller: { user, realm } }) => {
    const { message_id: messageId, scheduled_delivery_timestamp: timestamp, note = "" } = parameters;
    if (Object.keys(parameters).length === 0) {
      throw badRequest("A reminder needs a message_id, a scheduled_delivery_timestamp or a note");
    }
    const now = secondsNow(clock, realm);
    if (messageId !== undefined && (await findMessage(database, user, messageId)) === undefined)
      throw badRequest("Invalid message(s)");
    if (timestamp !== undefined && timestamp < now)
      throw badRequest("scheduled_delivery_timestamp must not be in the past");
    if (timestamp !== undefined && timestamp > latestTimestamp)
      throw badRequest("scheduled_delivery_timestamp must not be after the year 9999");
    if (isLongerThan(note, maxNoteLength)) throw badRequest(`note must have at most ${maxNoteLength} characters`);
    if ((await countRows(database, "reminder", user)) >= maxPendingReminders)
      throw badRequest(`You cannot have more than ${maxPendingReminders} pending reminders`);
    const row = { realm_id: realm.id, user_id: user.id, message_id: messageId ?? null, note };
    const { id } = await database
      .insertInto("reminder")
      .values({ ...row, due_at: timestamp ?? now })
      .returning("id")
      .executeTakeFirstOrThrow();
    if (timestamp === undefined) await deliverReminder(services, realm, { ...row, id });
    else services.afterCommit(services.reschedule);
    return { reminder_id: id };
  };
}

/**
 * Delivers a reminder as a direct message from the notification bot and removes it (Create a message reminder). If the user was
 * deactivated, only removes it.
 */
export async function deliverReminder(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  reminder: Pick<Reminder, "id" | "user_id" | "message_id" | "note">,
): Promise<void> {
  const { database } = services;
  await database.deleteFrom("reminder").where("realm_id", "=", realm.id).where("id", "=", reminder.id).execute();
  const caller = await findCaller(database, { realm_id: realm.id, id: reminder.user_id });
  if (caller === undefined) return;
  const { user } = caller;
  const content = (await subject(database, user, reminder.message_id)) + quote(reminder.note);
  await notify(services, realm, user.id, content);
}

async function subject(database: Database, user: User, messageId: number | null): Promise<string> {
  if (messageId === null) return "You asked for a reminder.";
  const message = await findMessage(database, user, messageId);
  if (message === undefined) return "You asked for a reminder of a message that you can no longer read.";
  return `You asked for a reminder of [this message](${await messageLink(database, message)}).`;
}

function quote(note: string): string {
  if (note === "") return "";
  const lines = note.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
  return `\n\nNote:\n\n${lines.join("\n")}`;
}

type Linked = Pick<Message, "realm_id" | "id" | "channel_id" | "conversation_id" | "topic">;

/** Relative URL of a message within its topic or conversation, as clients of this kind of service use it. */
async function messageLink(database: Database, message: Linked): Promise<string> {
  return `#narrow/${await place(database, message)}/near/${message.id}`;
}

async function place(
  database: Database,
  { realm_id, channel_id: channelId, conversation_id: conversationId, topic }: Linked,
): Promise<string> {
  if (channelId !== null) {
    const channel = await findChannel(database, { realm_id }, channelId);
    return channelFragment({ id: channelId, name: channel?.name ?? "" }, topic);
  }
  const conversation = await database
    .selectFrom("conversation")
    .select("member_key")
    .where("realm_id", "=", realm_id)
    .where("id", "=", conversationId ?? 0)
    .executeTakeFirst();
  return `dm/${conversation?.member_key ?? ""}-dm`;
}
