import type { Database } from "../storage/database.js";

/** The destination of a message: a topic of a channel, or a conversation between users. */
export type Destination =
  | { readonly kind: "channel"; readonly channelId: number; readonly topic: string }
  | { readonly kind: "direct"; readonly conversationId: number };

/** Finds or creates the conversation of a set of users. Returns its id. */
export async function findOrCreateConversation(
  database: Database,
  realmId: number,
  memberIds: readonly number[],
): Promise<number> {
  const known = await findConversation(database, realmId, memberIds);
  if (known !== undefined) return known;
  const { id } = await database
    .insertInto("conversation")
    .values({ realm_id: realmId, member_key: memberKey(memberIds) })
    .returning("id")
    .executeTakeFirstOrThrow();
  const members = [...new Set(memberIds)].map((user_id) => ({ realm_id: realmId, conversation_id: id, user_id }));
  await database.insertInto("conversation_member").values(members).execute();
  return id;
}

/** The id of the conversation of exactly these users, if it exists. */
export async function findConversation(
  database: Database,
  realmId: number,
  memberIds: readonly number[],
): Promise<number | undefined> {
  const found = await database
    .selectFrom("conversation")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("member_key", "=", memberKey(memberIds))
    .executeTakeFirst();
  return found?.id;
}

function memberKey(memberIds: readonly number[]): string {
  return [...new Set(memberIds)].sort((a, b) => a - b).join(",");
}

/** The ids of the active users who receive messages at a destination: subscribers or conversation members. */
export async function recipientsOf(database: Database, realmId: number, destination: Destination): Promise<number[]> {
  const members =
    destination.kind === "channel"
      ? database
          .selectFrom("subscription")
          .select("user_id")
          .where("realm_id", "=", realmId)
          .where("channel_id", "=", destination.channelId)
      : database
          .selectFrom("conversation_member")
          .select("user_id")
          .where("realm_id", "=", realmId)
          .where("conversation_id", "=", destination.conversationId);
  const users = await database
    .selectFrom("user")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("id", "in", members)
    .where("is_active", "=", true)
    .execute();
  return users.map(({ id }) => id);
}
