import { sql as text } from "kysely";
import { canAccessChannel, findChannel } from "../channels/find-channel.js";
import { maxMessageLength } from "../limits.js";
import type { Destination } from "../messages/destination.js";
import { forbiddenWildcard } from "../messages/mentions.js";
import { renderContent } from "../messages/render-content.js";
import { notify, sendMessage } from "../messages/send-message.js";
import { badRequest } from "../refusals.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm, ScheduledMessage, User } from "../storage/tables.js";

/**
 * Deletes a scheduled message of the caller; treats one of another user like one that does not exist (Delete a scheduled
 * message).
 */
export function createDeleteScheduledMessage({ database }: Services): Operation<"deleteScheduledMessage"> {
  return ({ parameters, caller: { user, realm } }) => {
    const { changes } = database.run(
      database.sql
        .deleteFrom("scheduled_message")
        .where("id", "=", parameters.scheduled_message_id)
        .where("sender_id", "=", user.id)
        .where("realm_id", "=", realm.id),
    );
    if (changes === 0) throw badRequest("Scheduled message does not exist");
  };
}

/**
 * Sends a scheduled message as its sender and removes it from the pending ones, in one transaction. If the sender was
 * deactivated, only removes it. If the sender may no longer post it, the notification bot returns it to the sender.
 */
export function deliverScheduledMessage(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  scheduled: ScheduledMessage,
): void {
  const { database } = services;
  const { sql } = database;
  database.transaction(() => {
    const { changes } = database.run(sql.deleteFrom("scheduled_message").where("id", "=", scheduled.id));
    const sender = database.first(sql.selectFrom("user").selectAll().where("id", "=", scheduled.sender_id));
    if (changes === 0 || sender === undefined || sender.is_active === 0) return;
    const { content } = scheduled;
    const returnToSender = (reason: string) => notify(services, realm, sender.id, returnedContent(content, reason));
    const to = destinationOf(database, sender, scheduled);
    if (to === undefined) {
      returnToSender("You can no longer post to the channel for which you scheduled a message.");
      return;
    }
    const rendered = renderContent(database, sender, content);
    const wildcard = to.kind === "channel" && forbiddenWildcard(database, { user: sender, realm }, rendered, to);
    if (wildcard) {
      returnToSender(`You scheduled a message with a ${wildcard} wildcard mention, which you may not use there.`);
      return;
    }
    skipMessageId(database, scheduled.id);
    sendMessage(services, { realm, senderId: sender.id, to, content, rendered });
  });
}

/** Markdown that returns a message to its sender, cut to the maximum message length. */
function returnedContent(content: string, reason: string): string {
  const before = `${reason} It was not sent. It said:\n\n`;
  return before + [...content].slice(0, maxMessageLength - before.length).join("");
}

function destinationOf(database: Database, sender: User, scheduled: ScheduledMessage): Destination | undefined {
  const { channel_id: channelId, conversation_id: conversationId, topic } = scheduled;
  if (conversationId !== null) return { kind: "direct", conversationId };
  const channel = channelId === null ? undefined : findChannel(database, sender, channelId);
  if (channel === undefined || !canAccessChannel(database, sender, channel)) return undefined;
  return { kind: "channel", channelId: channel.id, topic };
}

/**
 * Advances the id sequence if needed, because the sent message must not have the id of the scheduled one (Resources, Scheduled
 * message).
 */
function skipMessageId(database: Database, id: number): void {
  // A table appears in sqlite_sequence with its first row.
  database.run(text`insert into sqlite_sequence (name, seq) select 'message', 0
    where not exists (select 1 from sqlite_sequence where name = 'message')`);
  database.run(text`update sqlite_sequence set seq = ${id} where name = 'message' and seq = ${id - 1}`);
}
