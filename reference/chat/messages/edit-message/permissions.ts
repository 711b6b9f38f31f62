import { sql } from "kysely";
import { refuse } from "../../../../src/chat/server/index.js";
import { differsInMarkOnly, markChange } from "../../channels/topics.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import { badRequest } from "../../refusals.js";
import { isModerator } from "../../roles.js";
import { type Database, idList } from "../../storage/database.js";
import type { Realm, User } from "../../storage/tables.js";
import { accessibleTo } from "../find-message.js";
import type { Move } from "./requested-changes.js";

/** What decides whether the content of a message can be edited. */
export interface ContentEdit {
  readonly settings: Pick<Realm, "allow_message_editing" | "message_content_edit_limit_seconds">;
  readonly isSender: boolean;
  /** How long ago the message was sent. */
  readonly ageSeconds: number;
}

/**
 * Why a caller may not edit the content of a message; undefined when they may. Only the sender may, and the time limit exempts
 * nobody.
 *
 * Rule: "Edit a message", rule 2 (allow_message_editing, message_content_edit_limit_seconds).
 */
export function contentRefusal({ settings, isSender, ageSeconds }: ContentEdit): string | undefined {
  if (settings.allow_message_editing === 0) return "Your organization has turned off message editing";
  if (!isSender) return "You don't have permission to edit this message";
  const limit = settings.message_content_edit_limit_seconds;
  if (limit !== null && ageSeconds > limit) return "The time limit for editing this message has passed";
  return undefined;
}

/** What decides whether messages can be moved, their age aside. */
export interface MoveAttempt {
  readonly settings: Pick<Realm, "allow_message_editing">;
  readonly behaviour: Pick<LevelBehaviour, "movesDespiteEditingOff" | "resolveTopicsGroup">;
  readonly move: Pick<Move, "fromTopic" | "toTopic" | "mode" | "changesChannel" | "changesTopic" | "isResolution">;
  /** The groups that the caller is in. */
  readonly isIn: {
    readonly canResolveTopics: boolean;
    readonly canMoveBetweenTopics: boolean;
    readonly canMoveBetweenChannels: boolean;
  };
}

/**
 * Why a caller may not move messages; undefined when they may. No role stands in for a group. Who changes channel and topic at once
 * needs both groups. From level 367 on, can_resolve_topics_group governs the check mark of a topic: alone when nothing but the mark
 * of a whole topic changes, and besides the right to move otherwise.
 *
 * Rules: "Edit a message", rules 2 and 4; "States and transitions", topic unresolved; "Versioning", 159 and 367.
 */
export function moveRefusal({ settings, behaviour, move, isIn }: MoveAttempt): string | undefined {
  if (settings.allow_message_editing === 0 && !behaviour.movesDespiteEditingOff) {
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

/** Whether the check mark of a topic is changed, not only that of single messages which leave for another topic. */
function changesMarkOfTopic({ fromTopic, toTopic, mode, changesChannel }: MoveAttempt["move"]): boolean {
  if (changesChannel || markChange(fromTopic, toTopic) === "none") return false;
  return mode === "change_all" || differsInMarkOnly(fromTopic, toTopic);
}

/** How old messages of others may be that are moved on a server below level 162: seven days. */
export const limitBeforeSettings = 7 * 24 * 60 * 60;

/** How old messages may be that are moved. */
interface MoveLimit {
  readonly seconds: number;
  /** The messages of the caller have no limit. */
  readonly exemptsOwn: boolean;
}

/** What decides how old messages may be that are moved. */
export interface MoveLimitQuestion {
  readonly settings: Pick<
    Realm,
    "move_messages_within_stream_limit_seconds" | "move_messages_between_streams_limit_seconds"
  >;
  readonly behaviour: Pick<LevelBehaviour, "moveLimitsAreSettings" | "resolveTopicsGroup">;
  readonly caller: Pick<User, "role">;
  readonly move: Pick<Move, "changesChannel" | "isResolution">;
}

/**
 * The time limit of a move; undefined when there is none. Moderators, administrators and owners are exempt. A move to another
 * channel has the limit for channels alone, whatever becomes of the topic. Resolving a topic is no move where a group of its own
 * governs it (level 367).
 *
 * Rules: "Edit a message", rule 3; "Limits"; "Versioning", 162.
 */
export function moveLimit({ settings, behaviour, caller, move }: MoveLimitQuestion): MoveLimit | undefined {
  if (isModerator(caller)) return undefined;
  if (move.isResolution && behaviour.resolveTopicsGroup) return undefined;
  if (!behaviour.moveLimitsAreSettings) return { seconds: limitBeforeSettings, exemptsOwn: true };
  const seconds = move.changesChannel
    ? settings.move_messages_between_streams_limit_seconds
    : settings.move_messages_within_stream_limit_seconds;
  return seconds === null ? undefined : { seconds, exemptsOwn: false };
}

/** A move whose messages may be too old. */
export interface LimitedMove {
  readonly caller: Pick<User, "id" | "realm_id" | "role">;
  readonly move: Pick<Move, "fromChannelId" | "fromTopic">;
  readonly ids: readonly number[];
  readonly limit: MoveLimit;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * Throws a refusal when one of the messages that are moved is too old. It tells how many messages of the topic the caller could
 * move, counting those that the caller may read: the first one that could be moved is such that all after it could be, too.
 *
 * Rules: "Edit a message", rule 3 and the table of errors; "Versioning", 172.
 */
export function checkMoveLimit(
  database: Database,
  { moveLimitCode }: Pick<LevelBehaviour, "moveLimitCode">,
  { caller, move, ids, limit, now }: LimitedMove,
): void {
  const exempt = limit.exemptsOwn ? sql`sender_id = ${caller.id}` : sql`false`;
  const isLate = sql`(sent_at < ${now - limit.seconds} and not ${exempt})`;
  const late = database.first(sql`select 1 from message where id in ${idList(ids)} and ${isLate} limit 1`);
  if (late === undefined) return;
  if (!moveLimitCode) throw badRequest("The time limit for moving this message has passed");
  const counted = database.first(sql<{ total: number; allowed: number; first: number | null }>`
    with topic as materialized (
      select id, ${isLate} as is_late from message
      where channel_id = ${move.fromChannelId} and topic = ${move.fromTopic} and ${accessibleTo(caller)}),
    allowed as (select id from topic where id > coalesce((select max(id) from topic where is_late), 0))
    select (select count(*) from topic) as total, (select count(*) from allowed) as allowed,
      (select min(id) from allowed) as first`);
  const { total = ids.length, allowed = 0, first = null } = counted ?? {};
  throw refuse(400, {
    code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    msg: `You only have permission to move the ${allowed}/${total} most recent messages in this topic`,
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: allowed,
  });
}
