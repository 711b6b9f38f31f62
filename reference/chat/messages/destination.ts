import type { Database } from "../storage/database.js";

/** The destination of a message: a topic of a channel, or a conversation between users. */
export type Destination =
  | { readonly kind: "channel"; readonly channelId: number; readonly topic: string }
  | { readonly kind: "direct"; readonly conversationId: number };

/** Finds or creates the conversation of a set of users. Returns its id. */
export function findConversation(database: Database, realmId: number, memberIds: readonly number[]): number {
  const { sql } = database;
  const known = existingConversation(database, realmId, memberIds);
  if (known !== undefined) return known;
  const row = { realm_id: realmId, member_key: memberKey(memberIds) };
  return database.transaction(() => {
    const { insertedId } = database.run(sql.insertInto("conversation").values(row));
    for (const user_id of new Set(memberIds)) {
      database.run(sql.insertInto("conversation_member").values({ conversation_id: insertedId, user_id }));
    }
    return insertedId;
  });
}

/** The id of the conversation of exactly these users, if it exists. */
export function existingConversation(
  database: Database,
  realmId: number,
  memberIds: readonly number[],
): number | undefined {
  const found = database.sql
    .selectFrom("conversation")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("member_key", "=", memberKey(memberIds));
  return database.first(found)?.id;
}

function memberKey(memberIds: readonly number[]): string {
  return [...new Set(memberIds)].sort((a, b) => a - b).join(",");
}

/** The ids of the active users who receive messages at a destination: subscribers or conversation members. */
export function recipientsOf(database: Database, destination: Destination): number[] {
  const { sql } = database;
  const rows =
    destination.kind === "channel"
      ? sql
          .selectFrom("subscription")
          .innerJoin("user", "user.id", "subscription.user_id")
          .select("user.id")
          .where("subscription.channel_id", "=", destination.channelId)
          .where("user.is_active", "=", 1)
      : sql
          .selectFrom("conversation_member")
          .innerJoin("user", "user.id", "conversation_member.user_id")
          .select("user.id")
          .where("conversation_member.conversation_id", "=", destination.conversationId)
          .where("user.is_active", "=", 1);
  return database.all(rows).map(({ id }) => id);
}
