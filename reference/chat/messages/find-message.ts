import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isGuest } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { Message, User } from "../storage/tables.js";

/** Finds a message by id; undefined if it does not exist or the user may not read it. */
export function findMessage(
  database: Database,
  user: Pick<User, "id" | "realm_id" | "role">,
  id: number,
): Message | undefined {
  const { sql } = database;
  return database.first(sql.selectFrom("message").selectAll().where("id", "=", id).where(accessibleTo(user)));
}

/**
 * SQL condition that a user may read a row of `message`. Direct messages: participants. Public channels: every user except
 * guests, who must be subscribed or have received the message. Private channels: subscribers; with protected history, only
 * messages that they received. Never messages of another organization.
 */
export function accessibleTo(user: Pick<User, "id" | "realm_id" | "role">): RawBuilder<SqlBool> {
  const received = sql`exists (select 1 from user_message um where um.user_id = ${user.id} and um.message_id = message.id)`;
  const subscribed = sql`exists (select 1 from subscription s where s.user_id = ${user.id} and s.channel_id = c.id)`;
  const byPublicity = isGuest(user) ? sql`(${subscribed} or ${received})` : sql`true`;
  return sql<SqlBool>`(message.realm_id = ${user.realm_id} and case
    when message.channel_id is null then exists (
      select 1 from conversation_member cm where cm.conversation_id = message.conversation_id and cm.user_id = ${user.id})
    else exists (
      select 1 from channel c where c.id = message.channel_id and case c.is_private
        when 0 then ${byPublicity}
        else ${subscribed} and (c.is_history_protected = 0 or ${received}) end)
    end)`;
}
