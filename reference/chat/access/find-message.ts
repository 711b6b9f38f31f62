import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isGuest } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { Message, User } from "../storage/tables.js";

type Reader = Pick<User, "id" | "realm_id" | "role">;

/** Finds a message by id; undefined if it does not exist or the user may not read it. */
export function findMessage(database: Database, user: Reader, id: number): Promise<Message | undefined> {
  return database
    .selectFrom("message")
    .selectAll()
    .where("realm_id", "=", user.realm_id)
    .where("id", "=", id)
    .where(accessibleTo(user))
    .executeTakeFirst();
}

/**
 * SQL condition that a user may read a row of `message`. Direct messages: participants. Public channels: every user except
 * guests, who must be subscribed or have received the message. Private channels: subscribers; with protected history, only
 * messages that they received. Never messages of another organization.
 */
export function accessibleTo({ id, realm_id, role }: Reader): RawBuilder<SqlBool> {
  const received = sql`exists (select 1 from user_message um
    where um.realm_id = ${realm_id} and um.user_id = ${id} and um.message_id = message.id)`;
  const subscribed = sql`exists (select 1 from subscription s
    where s.realm_id = ${realm_id} and s.user_id = ${id} and s.channel_id = c.id)`;
  const byPublicity = isGuest({ role }) ? sql`(${subscribed} or ${received})` : sql`true`;
  return sql<SqlBool>`(message.realm_id = ${realm_id} and case
    when message.channel_id is null then exists (
      select 1 from conversation_member cm
      where cm.realm_id = ${realm_id} and cm.conversation_id = message.conversation_id and cm.user_id = ${id})
    else exists (
      select 1 from channel c where c.realm_id = ${realm_id} and c.id = message.channel_id
        and case when c.is_private then ${subscribed} and (not c.is_history_protected or ${received})
          else ${byPublicity} end)
    end)`;
}

/**
 * SQL condition that a user may open a row of `attachment` in their organization: the uploader, and users who can read a message that links
 * it (Upload a file).
 */
export function openableBy(user: Reader): RawBuilder<SqlBool> {
  return sql<SqlBool>`(attachment.owner_id = ${user.id} or exists (
    select 1 from attachment_message am
      join message on message.realm_id = am.realm_id and message.id = am.message_id
      where am.realm_id = ${user.realm_id} and am.attachment_id = attachment.id and ${accessibleTo(user)}))`;
}
