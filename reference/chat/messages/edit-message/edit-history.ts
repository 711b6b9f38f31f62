import { type RawBuilder, sql } from "kysely";
import { badRequest } from "../../refusals.js";
import { type Database, idList } from "../../storage/database.js";
import type { Message } from "../../storage/tables.js";
import type { Move } from "./requested-changes.js";

/** Maximum entries in the edit history of a message whose content can still be edited. */
const maxEdits = 1000;
/**
 * Maximum entries for a message that can still be moved. Higher, so that edits of one message cannot block moves of its topic.
 */
const maxMoves = 2000;
/** Maximum bytes of earlier texts, raw and rendered, in the edit history of a message: 4 MiB. */
const maxHistoryBytes = 4 * 1024 * 1024;

/** Throws a refusal if the edit history of a message has no room for its present content. */
export function checkHistoryForEdit(database: Database, { id }: Pick<Message, "id">): void {
  const present = sql`select octet_length(content) + octet_length(rendered_content) as bytes from message where id = ${id}`;
  const past = sql`select coalesce(octet_length(prev_content), 0) + coalesce(octet_length(prev_rendered_content), 0) as bytes
    from message_edit where message_id = ${id}`;
  const kept = database.first(sql<{ edits: number; bytes: number }>`
    select count(*) - 1 as edits, sum(bytes) as bytes from (${past} union all ${present})`);
  if (kept === undefined) return;
  if (kept.edits >= maxEdits) {
    throw badRequest(`A message that was edited or moved ${maxEdits} times can no longer be edited`);
  }
  if (kept.bytes > maxHistoryBytes) {
    throw badRequest(
      `The edit history of this message has more than ${maxHistoryBytes / 1024 ** 2} MiB, so it can no longer be edited`,
    );
  }
}

/** Throws a refusal if the edit history of any of these messages has no room for another move. */
export function checkHistoryForMove(database: Database, ids: readonly number[]): void {
  const full = database.first(sql`
    select message_id from message_edit where message_id in ${idList(ids)}
      group by message_id having count(*) >= ${maxMoves} limit 1`);
  if (full !== undefined) {
    throw badRequest(`A message that was edited or moved ${maxMoves} times can no longer be moved`);
  }
}

/** An edit about to be made. */
export interface RecordedEdit {
  readonly userId: number;
  /** UNIX seconds. */
  readonly now: number;
  /** All messages that change. */
  readonly ids: readonly number[];
  /** The message whose content changes, if one does. */
  readonly contentOf: number | undefined;
  readonly move:
    | Pick<Move, "fromChannelId" | "toChannelId" | "toTopic" | "changesChannel" | "changesTopic">
    | undefined;
}

/**
 * Writes one entry of the edit history for each message, from its state before the edit. Unchanged aspects stay null.
 *
 * Rule: "Resources", edit-history entry.
 */
export function recordEdits(database: Database, { userId, now, ids, contentOf, move }: RecordedEdit): void {
  const ofContent = (column: RawBuilder<unknown>) => sql`case when id = ${contentOf ?? null} then ${column} end`;
  const ofTopic = (value: RawBuilder<unknown>) =>
    move?.changesTopic ? sql`case when topic <> ${move.toTopic} collate binary then ${value} end` : sql`null`;
  database.run(sql`
    insert into message_edit (message_id, user_id, edited_at, prev_content, prev_rendered_content,
      prev_channel_id, channel_id, prev_topic, topic)
    select id, ${userId}, ${now}, ${ofContent(sql`content`)}, ${ofContent(sql`rendered_content`)},
      ${move?.changesChannel ? move.fromChannelId : null}, ${move?.changesChannel ? move.toChannelId : null},
      ${ofTopic(sql`topic`)}, ${ofTopic(sql`${move?.toTopic ?? null}`)}
    from message where id in ${idList(ids)} order by id`);
}
