import { sql } from "kysely";
import { refuse } from "../../../../src/chat/server/index.js";
import { accessibleTo } from "../../access/find-message.js";
import { differsInMarkOnly, markChange } from "../../channels/topics.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import { badRequest } from "../../refusals.js";
import { isModerator } from "../../roles.js";
import { type Database, idList, keyOf } from "../../storage/database.js";
import type { Realm, User } from "../../storage/tables.js";
import type { Move } from "./requested-changes.js";

/** Input for the permission to edit the content of a message. */
export interface ContentPermissionInput {
  readonly settings: Pick<Realm, "allow_message_editing" | "message_content_edit_limit_seconds">;
  readonly isSender: boolean;
  /** Seconds since the message was sent. */
  readonly ageSeconds: number;
}

/**
 * Returns why a caller may not edit the content of a message; undefined if it is allowed. Only the sender may edit. The
 * time limit applies to every user. Rule: "Edit a message", rule 2 (allow_message_editing,
 * message_content_edit_limit_seconds).
 */
export function contentRefusal({ settings, isSender, ageSeconds }: ContentPermissionInput): string | undefined {
  if (!settings.allow_message_editing) return "Your organization has turned off message editing";
  if (!isSender) return "You don't have permission to edit this message";
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && ageSeconds > limit) return "The time limit for editing this message has passed";
  return undefined;
}

/** Input for the permission to move messages, apart from their age. */
export interface MovePermissionInput {
  readonly settings: Pick<Realm, "allow_message_editing">;
  readonly behaviour: Pick<LevelBehaviour, "movesDespiteEditingOff" | "resolveTopicsGroup">;
  readonly move: Pick<Move, "fromTopic" | "toTopic" | "mode" | "changesChannel" | "changesTopic" | "isResolution">;
  /** The permission groups that the caller is in. */
  readonly isIn: {
    readonly canResolveTopics: boolean;
    readonly canMoveBetweenTopics: boolean;
    readonly canMoveBetweenChannels: boolean;
  };
}

/**
 * Returns why a caller may not move messages; undefined if it is allowed. A role never replaces membership in a group. Changing
 * channel and topic at once requires both groups. From level 367 on, changing the check mark of a topic requires
 * can_resolve_topics_group: instead of the right to move if only the mark of a whole topic changes, otherwise in addition to
 * it.
 *
 * Rules: "Edit a message", rules 2 and 4; "States and transitions", topic unresolved; "Versioning", 159 and 367.
 */
export function moveRefusal({ settings, behaviour, move, isIn }: MovePermissionInput): string | undefined {
  if (!settings.allow_message_editing && !behaviour.movesDespiteEditingOff) {
    return "Your organization has turned off message editing";
  }
  if (move.changesChannel && !isIn.canMoveBetweenChannels) {
    return "You don't have permission to move this message to another channel";
  }
  const isGovernedByMark = behaviour.resolveTopicsGroup && changesMarkOfTopic(move);
  if (isGovernedByMark && !isIn.canResolveTopics) return "You don't have permission to resolve topics";
  if (isGovernedByMark && move.isResolution) return undefined;
  if (move.changesTopic && !isIn.canMoveBetweenTopics) return "You don't have permission to edit this message's topic";
  return undefined;
}

/** Whether a move changes the check mark of a topic. Moving only some messages to another topic does not count. */
function changesMarkOfTopic({ fromTopic, toTopic, mode, changesChannel }: MovePermissionInput["move"]): boolean {
  if (changesChannel || markChange(fromTopic, toTopic) === "none") return false;
  return mode === "change_all" || differsInMarkOnly(fromTopic, toTopic);
}

/** Maximum age of messages of others that can be moved on a server below level 162: seven days. */
export const limitBeforeSettings = 7 * 24 * 60 * 60;

/** The maximum age of messages to move. */
interface MoveLimit {
  readonly seconds: number;
  /** Whether the caller's own messages are exempt. */
  readonly exemptsOwn: boolean;
}

/** Input for the time limit of a move. */
export interface MoveLimitInput {
  readonly settings: Pick<
    Realm,
    "move_messages_within_stream_limit_seconds" | "move_messages_between_streams_limit_seconds"
  >;
  readonly behaviour: Pick<LevelBehaviour, "moveLimitsAreSettings" | "resolveTopicsGroup">;
  readonly caller: Pick<User, "role">;
  readonly move: Pick<Move, "changesChannel" | "isResolution">;
}

/**
 * Returns the time limit of a move; undefined if it has none. Moderators, administrators and owners are exempt. For a move to
 * another channel, only the limit for channels applies, even if the topic changes as well. Resolving a topic is exempt where
 * its own group governs it (level 367).
 *
 * Rules: "Edit a message", rule 3; "Limits"; "Versioning", 162.
 */
export function moveLimit({ settings, behaviour, caller, move }: MoveLimitInput): MoveLimit | undefined {
  if (isModerator(caller)) return undefined;
  if (move.isResolution && behaviour.resolveTopicsGroup) return undefined;
  if (!behaviour.moveLimitsAreSettings) return { seconds: limitBeforeSettings, exemptsOwn: true };
  const seconds = move.changesChannel
    ? settings.move_messages_between_streams_limit_seconds
    : settings.move_messages_within_stream_limit_seconds;
  return seconds === null ? undefined : { seconds, exemptsOwn: false };
}

/** A move whose messages may exceed the time limit. */
export interface LimitedMove {
  readonly caller: Pick<User, "id" | "realm_id" | "role">;
  readonly move: Pick<Move, "fromChannelId" | "fromTopic">;
  readonly ids: readonly number[];
  readonly limit: MoveLimit;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * Throws a refusal if any message to move is too old. The refusal has the number of readable messages in the topic, how many of
 * the most recent ones the caller could move, and the id of the first of those.
 *
 * Rules: "Edit a message", rule 3 and the table of errors; "Versioning", 172.
 */
export async function checkMoveLimit(
  database: Database,
  { moveLimitCode }: Pick<LevelBehaviour, "moveLimitCode">,
  { caller, move, ids, limit, now }: LimitedMove,
): Promise<void> {
  const { id: callerId, realm_id: realmId } = caller;
  const exempt = limit.exemptsOwn ? sql`sender_id = ${callerId}` : sql`false`;
  const isLate = sql`(sent_at < ${now - limit.seconds} and not ${exempt})`;
  const late = await sql`
    select 1 from message where realm_id = ${realmId} and id in ${idList(database, ids)} and ${isLate} limit 1`.execute(
    database,
  );
  if (late.rows.length === 0) return;
  if (!moveLimitCode) throw badRequest("The time limit for moving this message has passed");
  const counted = await sql<{ total: number; allowed: number; first: number | null }>`
    with topic as materialized (
      select id, ${isLate} as is_late from message
      where realm_id = ${realmId} and channel_id = ${move.fromChannelId} and topic_key = ${keyOf(move.fromTopic)}
        and ${accessibleTo(caller)}),
    allowed as (select id from topic where id > coalesce((select max(id) from topic where is_late), 0))
    select (select count(*) from topic) as total, (select count(*) from allowed) as allowed,
      (select min(id) from allowed) as first`.execute(database);
  const { total = ids.length, allowed = 0, first = null } = counted.rows[0] ?? {};
  throw refuse(400, {
    code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    msg: `You only have permission to move the ${allowed}/${total} most recent messages in this topic`,
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  });
}
