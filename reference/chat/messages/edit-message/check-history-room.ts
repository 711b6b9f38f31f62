import { sql } from "kysely";
import { badRequest } from "../../bad-request.js";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import type { Message } from "../../storage/tables.js";

/** Most entries that the edit history of a message may have for its content to be edited once more. */
const mostEdits = 1000;
/** Most entries for it to be moved once more. Higher, so that nobody can stop a topic from being moved by editing a message in it. */
const mostMoves = 2000;
/** Most bytes of earlier texts, raw and rendered, in the edit history of a message: 4 MiB. */
const mostHistoryBytes = 4 * 1024 * 1024;

/** Throws a refusal when the edit history of a message has no room for its present content. */
export function checkRoomForContent(database: Database, { id }: Pick<Message, "id">): void {
  const present = sql`select octet_length(content) + octet_length(rendered_content) as bytes from message where id = ${id}`;
  const past = sql`select coalesce(octet_length(prev_content), 0) + coalesce(octet_length(prev_rendered_content), 0) as bytes
    from message_edit where message_id = ${id}`;
  const kept = database.first(sql<{ edits: number; bytes: number }>`
    select count(*) - 1 as edits, sum(bytes) as bytes from (${past} union all ${present})`);
  if (kept === undefined) return;
  if (kept.edits >= mostEdits) {
    throw badRequest(`A message that was edited or moved ${mostEdits} times cannot be edited any more`);
  }
  if (kept.bytes > mostHistoryBytes) {
    throw badRequest(
      `The edit history of a message keeps at most ${mostHistoryBytes / 1024 ** 2} MiB, so that this one cannot be edited any more`,
    );
  }
}

/** Throws a refusal when the edit history of one of these messages has no room for another move. */
export function checkRoomForMove(database: Database, ids: readonly number[]): void {
  const full = database.first(sql`
    select message_id from message_edit where message_id in ${idList(ids)}
      group by message_id having count(*) >= ${mostMoves} limit 1`);
  if (full !== undefined) {
    throw badRequest(`A message that was edited or moved ${mostMoves} times cannot be moved any more`);
  }
}
