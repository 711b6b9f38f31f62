import { sql } from "kysely";
import { canAccessChannel, findChannel } from "../access/find-channel.js";
import { findCaller } from "../authentication.js";
import { maxMessageLength } from "../limits.js";
import type { Destination } from "../messages/destination.js";
import { forbiddenWildcard } from "../messages/mentions.js";
import { renderContent } from "../messages/render-content.js";
import { notify, sendMessage } from "../messages/send-message.js";
import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";
import { type Database, isPostgres } from "../storage/database.js";
import type { Realm, ScheduledMessage, User } from "../storage/tables.js";

/**
 * Deletes a scheduled message of the caller; treats one of another user like one that does not exist (Delete a scheduled
 * message).
 */
export function createDeleteScheduledMessage({ database }: Services): Operation<"deleteScheduledMessage"> {
  return async ({ parameters, caller: { user, realm } }) => {
    const { numDeletedRows } = await database
      .deleteFrom("scheduled_message")
      .where("realm_id", "=", realm.id)
      .where("id", "=", parameters.scheduled_message_id)
      .where("sender_id", "=", user.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw badRequest("Scheduled message does not exist");
  };
}

/**
 * Sends a scheduled message as its sender and removes it from the pending ones. If the sender was deactivated, only removes it.
 * If the sender may no longer post it, the notification bot returns it to the sender.
 */
export async function deliverScheduledMessage(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  scheduled: ScheduledMessage,
): Promise<void> {
  const { database } = services;
  const { id, content } = scheduled;
  await database.deleteFrom("scheduled_message").where("realm_id", "=", realm.id).where("id", "=", id).execute();
  const sender = (await findCaller(database, { realm_id: realm.id, id: scheduled.sender_id }))?.user;
  if (sender === undefined) return;
  const returnToSender = (reason: string) => notify(services, realm, sender.id, returnedContent(content, reason));
  const to = await destinationOf(database, sender, scheduled);
  if (to === undefined) {
    await returnToSender("You can no longer post to the channel for which you scheduled a message.");
    return;
  }
  const rendered = await renderContent(database, sender, content);
  const wildcard = to.kind === "channel" && (await forbiddenWildcard(database, { user: sender, realm }, rendered, to));
  if (wildcard) {
    await returnToSender(`You scheduled a message with a ${wildcard} wildcard mention, which you may not use there.`);
    return;
  }
  await skipMessageId(database, id);
  await sendMessage(services, { realm, senderId: sender.id, to, content, rendered });
}

/** Markdown that returns a message to its sender, cut to the maximum message length. */
function returnedContent(content: string, reason: string): string {
  const before = `${reason} It was not sent. It said:\n\n`;
  return before + [...content].slice(0, maxMessageLength - before.length).join("");
}

async function destinationOf(
  database: Database,
  sender: User,
  scheduled: ScheduledMessage,
): Promise<Destination | undefined> {
  const { channel_id: channelId, conversation_id: conversationId, topic } = scheduled;
  if (conversationId !== null) return { kind: "direct", conversationId };
  const channel = channelId === null ? undefined : await findChannel(database, sender, channelId);
  if (channel === undefined || !(await canAccessChannel(database, sender, channel))) return undefined;
  return { kind: "channel", channelId: channel.id, topic };
}

/**
 * Advances the id sequence if needed, because the sent message must not have the id of the scheduled one (Resources, Scheduled
 * message).
 */
async function skipMessageId(database: Database, id: number): Promise<void> {
  // In PostgreSQL, both tables take their ids from one sequence.
  if (isPostgres(database)) return;
  // A table appears in sqlite_sequence with its first row.
  await sql`insert into sqlite_sequence (name, seq) select 'message', 0
    where not exists (select 1 from sqlite_sequence where name = 'message')`.execute(database);
  await sql`update sqlite_sequence set seq = ${id} where name = 'message' and seq = ${id - 1}`.execute(database);
}
