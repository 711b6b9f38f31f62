import { type Selectable, sql } from "kysely";
import type { components } from "../../../../generated/chat/types.js";
import { type Database, idList } from "../../storage/database.js";
import type { MessageEditTable } from "../../storage/tables.js";
import { groupBy } from "./related-rows.js";

/** Estimated bytes of an edit history entry besides its texts. */
const entryBytes = 200;

/** Approximate bytes of the edit histories of messages together. Stops counting at `max`. */
export async function historyBytes(
  database: Database,
  realmId: number,
  messageIds: readonly number[],
  max: number,
): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(bytes) as bytes from (
      select ${sql.lit(entryBytes)} + coalesce(octet_length(prev_content), 0)
        + coalesce(octet_length(prev_rendered_content), 0) as bytes
      from message_edit where realm_id = ${realmId} and message_id in ${idList(database, messageIds)}
      limit ${Math.floor(max / entryBytes) + 1}
    ) as edits`.execute(database);
  return rows[0]?.bytes ?? 0;
}

type Entry = components["schemas"]["EditHistoryEntry"];

/**
 * Reads the edit histories of messages, newest entry first, by message id. An entry omits unchanged aspects (Resources,
 * edit-history entry).
 */
export async function readEditHistories(
  database: Database,
  realmId: number,
  messageIds: readonly number[],
  displayTopic: (topic: string) => string,
): Promise<Map<number, Entry[]>> {
  const edits = await database
    .selectFrom("message_edit")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("message_id", "in", messageIds)
    .orderBy("id", "desc")
    .execute();
  return groupBy(edits, (edit) => [edit.message_id, describe(edit, displayTopic)]);
}

function describe(edit: Selectable<MessageEditTable>, displayTopic: (topic: string) => string): Entry {
  const { prev_content, prev_rendered_content, prev_channel_id, prev_topic, channel_id, topic } = edit;
  return {
    user_id: edit.user_id,
    timestamp: edit.edited_at,
    ...(prev_content === null ? {} : { prev_content }),
    ...(prev_rendered_content === null ? {} : { prev_rendered_content }),
    ...(prev_channel_id === null ? {} : { prev_stream: prev_channel_id }),
    ...(channel_id === null ? {} : { stream: channel_id }),
    ...(prev_topic === null ? {} : { prev_topic: displayTopic(prev_topic) }),
    ...(topic === null ? {} : { topic: displayTopic(topic) }),
  };
}
