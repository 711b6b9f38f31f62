import { sql } from "kysely";
import { refuse } from "../../../../src/chat/server/index.js";
import { badRequest } from "../../bad-request.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../accessible-to.js";
import type { MoveLimit } from "./move-limit.js";
import type { Move } from "./requested-changes.js";

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
