import { type RawBuilder, sql } from "kysely";
import { type Database, idList } from "../../storage/database.js";
import { jsonRows, slices } from "./json-rows.js";

/** A message of the page as stored. */
export interface MessageRow {
  readonly id: number;
  readonly senderId: number;
  readonly channelId: number | null;
  readonly conversationId: number | null;
  readonly topic: string;
  /** Rendered or raw Markdown; null if it is long (`longContents`). */
  readonly content: string | null;
  readonly sentAt: number;
  readonly editedAt: number | null;
  readonly movedAt: number | null;
  readonly client: string;
  readonly isMeMessage: 0 | 1;
  /** Null if the user has not received the message. */
  readonly isRead: 0 | 1 | null;
  readonly isMentioned: 0 | 1 | null;
  /** Length of the content as UTF-8. */
  readonly contentBytes: number;
}

/** The column of `message` for each form of the content. */
const contentColumns = { raw: "content", rendered: "rendered_content" } as const;

/** Maximum bytes of content in a row, and in all rows of a page. */
const maxBytesInRow = 2048;
const maxBytesInRows = 1024 * 1024;

/** The column of each field in the tables of a search plan. */
const columns: Record<Exclude<keyof MessageRow, "content" | "contentBytes">, string> = {
  id: "message.id",
  senderId: "message.sender_id",
  channelId: "message.channel_id",
  conversationId: "message.conversation_id",
  topic: "message.topic",
  sentAt: "message.sent_at",
  editedAt: "message.edited_at",
  movedAt: "message.moved_at",
  client: "message.client",
  isMeMessage: "message.is_me_message",
  isRead: "um.is_read",
  isMentioned: "um.is_mentioned",
};

const fields = [...Object.keys(columns), "content", "contentBytes"] as readonly (keyof MessageRow)[];
const shortColumns = Object.entries(columns).map(([field, source]) => `${source} as ${field}`);

/** Selects the fields of at most `maxRows` messages from the tables of a search plan. */
export function messageColumns(form: "raw" | "rendered", maxRows: number): RawBuilder<unknown> {
  const content = sql.raw(`message.${contentColumns[form]}`);
  const maxBytes = Math.min(maxBytesInRow, Math.floor(maxBytesInRows / Math.max(maxRows, 1)));
  return sql`${sql.raw(shortColumns.join(", "))}, octet_length(${content}) as contentBytes,
    case when octet_length(${content}) <= ${maxBytes} then ${content} end as content`;
}

/**
 * JSON of a row of a subquery that selects `messageColumns`. All rows are returned as one JSON text without names (see
 * `jsonRows`). Long contents are not in it, so that the text stays small.
 */
export const messageRowJson = sql.raw(`json_array(${fields.join(", ")})`);

/** Converts a JSON array of `messageRowJson` to a row. */
export function toMessageRow(values: readonly unknown[]): MessageRow {
  const row: Partial<Record<keyof MessageRow, unknown>> = {};
  fields.forEach((field, index) => {
    row[field] = values[index];
  });
  return row as MessageRow;
}

/** Reads the contents that are too long for the rows, by message id. */
export function readLongContents(
  database: Database,
  rows: readonly MessageRow[],
  form: "raw" | "rendered",
): Map<number, string> {
  const long = rows
    .filter(({ content }) => content === null)
    .map(({ id, contentBytes }) => [id, contentBytes] as const);
  const contents = new Map<number, string>();
  for (const ids of slices(long)) {
    const found = jsonRows<[id: number, content: string]>(database, {
      row: sql`json_array(id, ${sql.raw(contentColumns[form])})`,
      from: sql`message where id in ${idList(ids)}`,
    });
    for (const [id, content] of found) contents.set(id, content);
  }
  return contents;
}
