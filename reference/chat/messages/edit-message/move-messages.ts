import { type SqlBool, sql } from "kysely";
import { roles } from "../../roles.js";
import { type Database, idList } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../find-message.js";
import { indexMessages } from "../search-index.js";
import type { Move } from "./requested-changes.js";

/**
 * The ids of the messages that a move takes along, in ascending order. Messages that the caller may not read stay where they are,
 * except when the topic is only resolved or unresolved.
 *
 * Rule: "Edit a message", `propagate_mode`.
 */
export function movedIds(
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
  // Where only the case of letters changes, some messages may have the new name already.
  const changed = changesChannel ? inTopic : inTopic.where(sql<SqlBool>`topic <> ${toTopic} collate binary`);
  const following = mode === "change_later" ? changed.where("id", ">=", targetId) : changed;
  return database.all(isResolution ? following : following.where(accessibleTo(caller))).map(({ id }) => id);
}

/** Messages that are moved. Whoever calls has checked that they may be. */
export interface MovedMessages {
  readonly ids: readonly number[];
  readonly move: Move;
  /** UNIX seconds. */
  readonly now: number;
}

/** Moves messages, and hands them over to those who receive what is sent in their new channel. The number of statements is fixed. */
export function moveMessages(database: Database, { ids, move, now }: MovedMessages): void {
  const { toChannelId, toTopic, changesChannel, isResolution } = move;
  const moved = idList(ids);
  const joins = hasMessages(database, toChannelId, toTopic);
  // Resolving a topic counts as no move (last_moved_timestamp).
  const movedAt = isResolution ? sql`moved_at` : sql`${now}`;
  database.run(sql`
    update message set channel_id = ${toChannelId}, topic = ${toTopic}, moved_at = ${movedAt} where id in ${moved}`);
  if (changesChannel) handOver(database, ids, toChannelId);
  // Nobody who has not muted a topic finds it muted because another was moved there.
  if (!joins && !hasMessages(database, move.fromChannelId, move.fromTopic)) moveMutes(database, move);
}

/** Brings the full-text index up to date with messages that were edited. */
export function indexAnew(database: Database, ids: readonly number[]): void {
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

/** Subscribers of the new channel have received the messages, read; who may not read them any more has not. */
function handOver(database: Database, ids: readonly number[], channelId: number): void {
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

/** Who has muted a topic that is gone has muted the topic that its messages are in, if subscribed to its channel. */
function moveMutes(database: Database, { fromChannelId, fromTopic, toChannelId, toTopic }: Move): void {
  database.run(sql`
    insert or ignore into muted_topic (user_id, channel_id, topic)
    select user_id, ${toChannelId}, ${toTopic} from muted_topic
      where channel_id = ${fromChannelId} and topic = ${fromTopic}
      and user_id in (select user_id from subscription where channel_id = ${toChannelId})`);
  database.run(sql`delete from muted_topic where channel_id = ${fromChannelId} and topic = ${fromTopic}`);
}
