import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import { jsonRows } from "./json-rows.js";

/** What an entry of the edit history has besides earlier texts, in bytes. */
const entryBytes = 200;

/**
 * About how many bytes the edit history of each of these messages has, by the id of the message; messages that were not edited are
 * left out. When it is more than `most` altogether, some of it may not be counted, but still more than `most` is.
 */
export function historySizes(database: Database, messageIds: readonly number[], most: number): Map<number, number> {
  const edits = sql`
    select message_id,
      ${entryBytes} + coalesce(octet_length(prev_content), 0) + coalesce(octet_length(prev_rendered_content), 0) as bytes
    from message_edit where message_id in ${idList(messageIds)} limit ${Math.floor(most / entryBytes) + 1}`;
  return new Map(
    jsonRows<[messageId: number, bytes: number]>(database, {
      row: sql`json_array(message_id, bytes)`,
      from: sql`(select message_id, sum(bytes) as bytes from (${edits}) group by message_id)`,
    }),
  );
}
