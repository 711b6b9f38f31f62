import { type SqlBool, sql } from "kysely";
import { roles } from "../../roles.js";
import { type Database, idList } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../find-message.js";
import { indexMessages } from "../search-index.js";
import type { Move } from "./requested-changes.js";

/**
 * The ids of the messages to move, in ascending order. Excludes messages that the caller may not read, unless the topic is only
 * resolved or unresolved.
 *
 * Rule: "Edit a message", `propagate_mode`.
 */
export function idsToMove(
  database: Database,
  caller: Pick<User, "id" | "realm_id" | "role">,
  targetId: number,
  { fromChannelId, fromTopic, toTopic, mode, changesChannel, isResolution }: Move,
): number[] {
  if (mode === "change_one") return [targetId];
  const inTopic = database.sql
    .selectFrom("message")
    .select("id")
    .where("channel_id", "=", fromChannelId)
    .where("topic", "=", fromTopic)
    .orderBy("id");
  // If only the letter case changes, some messages may have the new name already.
  const changed = changesChannel ? inTopic : inTopic.where(sql<SqlBool>`topic <> ${toTopic} collate binary`);
  const following = mode === "change_later" ? changed.where("id", ">=", targetId) : changed;
  return database.all(isResolution ? following : following.where(accessibleTo(caller))).map(({ id }) => id);
}

/** Messages to move, after the permission check. */
export interface MovedMessages {
  readonly ids: readonly number[];
  readonly move: Move;
  /** UNIX seconds. */
  readonly now: number;
}

/** Moves messages and updates their recipients to those of the new channel, with a fixed number of statements. */
export function moveMessages(database: Database, { ids, move, now }: MovedMessages): void {
  const { toChannelId, toTopic, changesChannel, isResolution } = move;
  const moved = idList(ids);
  const joins = hasMessages(database, toChannelId, toTopic);
  // Resolving a topic does not count as a move (last_moved_timestamp).
  const movedAt = isResolution ? sql`moved_at` : sql`${now}`;
  database.run(sql`
    update message set channel_id = ${toChannelId}, topic = ${toTopic}, moved_at = ${movedAt} where id in ${moved}`);
  if (changesChannel) updateRecipients(database, ids, toChannelId);
  // Mutes follow only if the target topic is new, so that an existing topic is never muted for a user.
  if (!joins && !hasMessages(database, move.fromChannelId, move.fromTopic)) transferMutes(database, move);
}

/** Updates the full-text index for the moved messages. */
export function reindexMessages(database: Database, ids: readonly number[]): void {
  const edited = idList(ids);
  database.run(sql`delete from message_search where rowid in ${edited}`);
  indexMessages(database, sql`id in ${edited}`);
}

/** Whether a topic of a channel has messages. */
export function hasMessages(database: Database, channelId: number, topic: string): boolean {
  const { sql } = database;
  const left = sql
    .selectFrom("message")
    .select("id")
    .where("channel_id", "=", channelId)
    .where("topic", "=", topic)
    .limit(1);
  return database.first(left) !== undefined;
}

/**
 * Marks the messages as received and read by the subscribers of the new channel, and withdraws them from users who may no
 * longer read them.
 */
function updateRecipients(database: Database, ids: readonly number[], channelId: number): void {
  const moved = idList(ids);
  database.run(sql`
    delete from user_message where message_id in ${moved}
      and user_id not in (select user_id from subscription where channel_id = ${channelId})
      and ((select is_private from channel where id = ${channelId}) = 1
        or user_id in (select id from user where role >= ${roles.guest}))`);
  database.run(sql`
    insert or ignore into user_message (user_id, message_id, is_read)
    select user.id, moved.value, 1 from subscription
      join user on user.id = subscription.user_id and user.is_active = 1
      join ${moved} as moved
      where subscription.channel_id = ${channelId}
      order by user.id, moved.value`);
}

/** Transfers mutes of a vanished topic to the topic that its messages moved to, for subscribers of the new channel. */
function transferMutes(database: Database, { fromChannelId, fromTopic, toChannelId, toTopic }: Move): void {
  database.run(sql`
    insert or ignore into muted_topic (user_id, channel_id, topic)
    select user_id, ${toChannelId}, ${toTopic} from muted_topic
      where channel_id = ${fromChannelId} and topic = ${fromTopic}
      and user_id in (select user_id from subscription where channel_id = ${toChannelId})`);
  database.run(sql`delete from muted_topic where channel_id = ${fromChannelId} and topic = ${fromTopic}`);
}
