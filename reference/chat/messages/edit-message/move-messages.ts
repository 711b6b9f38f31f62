import { sql } from "kysely";
import { accessibleTo } from "../../access/find-message.js";
import { roles } from "../../roles.js";
import { type Database, idList, keyOf } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import { inBatches } from "../in-batches.js";
import type { Move } from "./requested-changes.js";

/**
 * The ids of the messages to move, in ascending order. Excludes messages that the caller may not read, unless the topic is only
 * resolved or unresolved.
 *
 * Rule: "Edit a message", `propagate_mode`.
 */
export async function idsToMove(
  database: Database,
  caller: Pick<User, "id" | "realm_id" | "role">,
  targetId: number,
  { fromChannelId, fromTopic, toTopic, mode, changesChannel, isResolution }: Move,
): Promise<number[]> {
  if (mode === "change_one") return [targetId];
  const inTopic = database
    .selectFrom("message")
    .select("id")
    .where("realm_id", "=", caller.realm_id)
    .where("channel_id", "=", fromChannelId)
    .where("topic_key", "=", keyOf(fromTopic))
    .orderBy("id");
  // If only the letter case changes, some messages may have the new name already.
  const changed = changesChannel ? inTopic : inTopic.where("topic", "<>", toTopic);
  const following = mode === "change_later" ? changed.where("id", ">=", targetId) : changed;
  const moved = await (isResolution ? following : following.where(accessibleTo(caller))).execute();
  return moved.map(({ id }) => id);
}

/** Messages to move, after the permission check. */
export interface MovedMessages {
  readonly realmId: number;
  readonly ids: readonly number[];
  readonly move: Move;
  /** UNIX seconds. */
  readonly now: number;
}

/** Moves messages, updates their recipients to those of the new channel, and transfers mutes of a topic that has become empty. */
export async function moveMessages(database: Database, { realmId, ids, move, now }: MovedMessages): Promise<void> {
  const { toChannelId, toTopic, changesChannel, changesTopic, isResolution } = move;
  const joins = await hasMessages(database, realmId, toChannelId, toTopic);
  // Resolving a topic does not count as a move (last_moved_timestamp).
  const movedAt = isResolution ? sql`moved_at` : sql`${now}`;
  // Otherwise each message keeps its own letter case, because its edit history has no entry about the topic.
  const topic = changesTopic ? sql`${toTopic}` : sql`topic`;
  await inBatches(ids, async (batch) => {
    await sql`
      update message set channel_id = ${toChannelId}, topic = ${topic}, moved_at = ${movedAt}
      where realm_id = ${realmId} and id in ${idList(database, batch)}`.execute(database);
    if (changesChannel) await updateRecipients(database, realmId, batch, toChannelId);
  });
  // Mutes follow only if the target topic is new, so that an existing topic is never muted for a user.
  if (joins || (await hasMessages(database, realmId, move.fromChannelId, move.fromTopic))) return;
  await transferMutes(database, realmId, move);
}

/** Whether a topic of a channel has messages. */
export async function hasMessages(
  database: Database,
  realmId: number,
  channelId: number,
  topic: string,
): Promise<boolean> {
  const found = await database
    .selectFrom("message")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("channel_id", "=", channelId)
    .where("topic_key", "=", keyOf(topic))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Delivers the messages, as read, to subscribers of the new channel who had not received them, and withdraws them from users
 * who may no longer read them.
 */
async function updateRecipients(
  database: Database,
  realmId: number,
  ids: readonly number[],
  channelId: number,
): Promise<void> {
  const moved = idList(database, ids);
  const subscribers = sql`select s.user_id from subscription s where s.realm_id = ${realmId} and s.channel_id = ${channelId}`;
  await sql`
    delete from user_message where realm_id = ${realmId} and message_id in ${moved}
      and user_id not in (${subscribers})
      and ((select is_private from channel where realm_id = ${realmId} and id = ${channelId})
        or user_id in (select id from "user" where realm_id = ${realmId} and role >= ${roles.guest}))`.execute(
    database,
  );
  await sql`
    insert into user_message (realm_id, user_id, message_id, is_read)
    select ${sql.lit(realmId)}, u.id, moved.value, true from "user" u
      cross join ${moved} as moved
      where u.realm_id = ${realmId} and u.is_active and u.id in (${subscribers})
    on conflict do nothing`.execute(database);
}

/** Transfers mutes of a vanished topic to the topic that its messages moved to, for subscribers of the new channel. */
async function transferMutes(
  database: Database,
  realmId: number,
  { fromChannelId, fromTopic, toChannelId, toTopic }: Move,
): Promise<void> {
  const mutes = database
    .selectFrom("muted_topic")
    .where("realm_id", "=", realmId)
    .where("channel_id", "=", fromChannelId)
    .where("topic_key", "=", keyOf(fromTopic));
  const subscribers = database
    .selectFrom("subscription")
    .select("user_id")
    .where("realm_id", "=", realmId)
    .where("channel_id", "=", toChannelId);
  const mutingUsers = await mutes.select("user_id").where("user_id", "in", subscribers).execute();
  for (const { user_id } of mutingUsers) {
    await database
      .insertInto("muted_topic")
      .values({ realm_id: realmId, user_id, channel_id: toChannelId, topic: toTopic })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await database
    .deleteFrom("muted_topic")
    .where("realm_id", "=", realmId)
    .where("channel_id", "=", fromChannelId)
    .where("topic_key", "=", keyOf(fromTopic))
    .execute();
}
