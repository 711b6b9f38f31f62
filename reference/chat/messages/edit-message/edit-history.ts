import { type RawBuilder, sql } from "kysely";
import { badRequest } from "../../refusals.js";
import { type Database, idList } from "../../storage/database.js";
import type { Message } from "../../storage/tables.js";
import { inBatches } from "../in-batches.js";
import type { Move } from "./requested-changes.js";

/** Maximum entries in the edit history of a message that edits of its content can reach. */
const maxEdits = 1000;
/** Maximum entries that moves can reach. Higher, so that edits of one message cannot block moves of its topic. */
const maxMoves = 2000;
/** Maximum bytes of earlier texts, raw and rendered, in the edit history of a message: 4 MiB. */
const maxHistoryBytes = 4 * 1024 * 1024;

/** Throws a refusal if the edit history of a message has no room for another entry with its present content. */
export async function checkHistoryForEdit(
  database: Database,
  { id, realm_id, content, rendered_content }: Pick<Message, "id" | "realm_id" | "content" | "rendered_content">,
): Promise<void> {
  const kept = await database
    .selectFrom("message_edit")
    .select(({ fn }) => [
      fn.countAll<number>().as("edits"),
      sql<number>`coalesce(sum(coalesce(octet_length(prev_content), 0) + coalesce(octet_length(prev_rendered_content), 0)), 0)`.as(
        "bytes",
      ),
    ])
    .where("realm_id", "=", realm_id)
    .where("message_id", "=", id)
    .executeTakeFirstOrThrow();
  if (kept.edits >= maxEdits) {
    throw badRequest(`A message that was edited or moved ${maxEdits} times can no longer be edited`);
  }
  if (kept.bytes + Buffer.byteLength(content) + Buffer.byteLength(rendered_content) > maxHistoryBytes) {
    throw badRequest(
      `The edit history of this message would exceed ${maxHistoryBytes / 1024 ** 2} MiB, so it can no longer be edited`,
    );
  }
}

/** Throws a refusal if the edit history of any of these messages has no room for another move. */
export async function checkHistoryForMove(database: Database, realmId: number, ids: readonly number[]): Promise<void> {
  const { rows } = await sql`
    select message_id from message_edit where realm_id = ${realmId} and message_id in ${idList(database, ids)}
      group by message_id having count(*) >= ${maxMoves} limit 1`.execute(database);
  if (rows.length > 0) {
    throw badRequest(`A message that was edited or moved ${maxMoves} times can no longer be moved`);
  }
}

/** An edit about to be made. */
export interface RecordedEdit {
  readonly realmId: number;
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
export async function recordEdits(
  database: Database,
  { realmId, userId, now, ids, contentOf, move }: RecordedEdit,
): Promise<void> {
  const ofContent = (column: RawBuilder<unknown>) => sql`case when id = ${contentOf ?? 0} then ${column} end`;
  const ofTopic = (value: RawBuilder<unknown>) =>
    move?.changesTopic ? sql`case when topic <> ${move.toTopic} then ${value} end` : sql`null`;
  const channels = move?.changesChannel
    ? { from: sql`cast(${move.fromChannelId} as bigint)`, to: sql`cast(${move.toChannelId} as bigint)` }
    : { from: sql`null`, to: sql`null` };
  await inBatches(ids, async (batch) => {
    await sql`
      insert into message_edit (realm_id, message_id, user_id, edited_at, prev_content, prev_rendered_content,
        prev_channel_id, channel_id, prev_topic, topic)
      select realm_id, id, cast(${userId} as bigint), cast(${now} as bigint),
        ${ofContent(sql`content`)}, ${ofContent(sql`rendered_content`)}, ${channels.from}, ${channels.to},
        ${ofTopic(sql`topic`)}, ${ofTopic(sql`cast(${move?.toTopic ?? ""} as text)`)}
      from message where realm_id = ${realmId} and id in ${idList(database, batch)} order by id`.execute(database);
  });
}
