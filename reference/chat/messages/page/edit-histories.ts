import { sql } from "kysely";
import type { components } from "../../../../generated/chat/types.js";
import { type Database, idList } from "../../storage/database.js";
import { jsonRows, slices } from "./json-rows.js";

/** Estimated bytes of an edit history entry besides its texts. */
const entryBytes = 200;

/**
 * Approximate bytes of each message's edit history, by message id, omitting messages without edits. Stops counting once the
 * total exceeds `max`.
 */
export function historySizes(database: Database, messageIds: readonly number[], max: number): Map<number, number> {
  const edits = sql`
    select message_id,
      ${entryBytes} + coalesce(octet_length(prev_content), 0) + coalesce(octet_length(prev_rendered_content), 0) as bytes
    from message_edit where message_id in ${idList(messageIds)} limit ${Math.floor(max / entryBytes) + 1}`;
  return new Map(
    jsonRows<[messageId: number, bytes: number]>(database, {
      row: sql`json_array(message_id, bytes)`,
      from: sql`(select message_id, sum(bytes) as bytes from (${edits}) group by message_id)`,
    }),
  );
}

type Entry = components["schemas"]["EditHistoryEntry"];

type EditRow = readonly [
  messageId: number,
  userId: number | null,
  editedAt: number,
  prevContent: string | null,
  prevRenderedContent: string | null,
  prevChannelId: number | null,
  prevTopic: string | null,
  channelId: number | null,
  topic: string | null,
];

/**
 * Reads the edit histories of the messages that `historySizes` returned, newest entry first, by message id. An entry omits
 * unchanged aspects (Resources, edit-history entry).
 */
export function readEditHistories(
  database: Database,
  sizes: ReadonlyMap<number, number>,
  displayTopic: (topic: string) => string,
): Map<number, Entry[]> {
  const histories = new Map<number, Entry[]>();
  for (const ids of slices(sizes)) {
    for (const row of editsOf(database, ids)) {
      const history = histories.get(row[0]);
      const entry = describe(row, displayTopic);
      if (history === undefined) histories.set(row[0], [entry]);
      else history.push(entry);
    }
  }
  return histories;
}

function editsOf(database: Database, messageIds: readonly number[]): EditRow[] {
  return jsonRows<EditRow>(database, {
    row: sql`json_array(message_id, user_id, edited_at, prev_content, prev_rendered_content,
      prev_channel_id, prev_topic, channel_id, topic)`,
    from: sql`(select * from message_edit where message_id in ${idList(messageIds)} order by message_id desc, id desc)`,
  });
}

function describe(row: EditRow, displayTopic: (topic: string) => string): Entry {
  const [, user_id, timestamp, prevContent, prevRendered, prevChannel, prevTopic, channel, topic] = row;
  return {
    user_id,
    timestamp,
    ...(prevContent === null ? {} : { prev_content: prevContent }),
    ...(prevRendered === null ? {} : { prev_rendered_content: prevRendered }),
    ...(prevChannel === null ? {} : { prev_stream: prevChannel }),
    ...(channel === null ? {} : { stream: channel }),
    ...(prevTopic === null ? {} : { prev_topic: displayTopic(prevTopic) }),
    ...(topic === null ? {} : { topic: displayTopic(topic) }),
  };
}
