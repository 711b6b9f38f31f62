import { type RawBuilder, sql } from "kysely";
import { type Database, idList } from "../../storage/database.js";
import { jsonRows, slices } from "./json-rows.js";

/** A message of the page, as it is stored. */
export interface MessageRow {
  readonly id: number;
  readonly senderId: number;
  readonly channelId: number | null;
  readonly conversationId: number | null;
  readonly topic: string;
  /** Rendered, or raw Markdown. Null when it is long (`longContents`). */
  readonly content: string | null;
  readonly sentAt: number;
  readonly editedAt: number | null;
  readonly movedAt: number | null;
  readonly client: string;
  readonly isMeMessage: 0 | 1;
  /** Null when the user has not received the message. */
  readonly isRead: 0 | 1 | null;
  readonly isMentioned: 0 | 1 | null;
  /** Length of the content as UTF-8. */
  readonly contentBytes: number;
}

/** The column of `message` that holds the content in a form. */
const contentColumns = { raw: "content", rendered: "rendered_content" } as const;

/** Longest content that is in a row, in bytes, and most bytes of content in all rows of a page. */
const maxBytesInRow = 2048;
const maxBytesInRows = 1024 * 1024;

/** Where the fields of a row are in the tables of a search plan. */
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

/** Selects the fields of messages, of which there are at most so many, from the tables of a search plan. */
export function messageColumns(form: "raw" | "rendered", mostRows: number): RawBuilder<unknown> {
  const content = sql.raw(`message.${contentColumns[form]}`);
  const maxBytes = Math.min(maxBytesInRow, Math.floor(maxBytesInRows / Math.max(mostRows, 1)));
  return sql`${sql.raw(shortColumns.join(", "))}, octet_length(${content}) as contentBytes,
    case when octet_length(${content}) <= ${maxBytes} then ${content} end as content`;
}

/**
 * A row as JSON, of a subquery that selects `messageColumns`. All rows travel as one JSON text without names, which costs a third of
 * what the driver takes for as many columns. So that this text remains small, whatever the messages say, a long content is not in it.
 */
export const messageRowJson = sql.raw(`json_array(${fields.join(", ")})`);

/** The row of a JSON array that `messageRowJson` made. */
export function toMessageRow(values: readonly unknown[]): MessageRow {
  const row: Partial<Record<keyof MessageRow, unknown>> = {};
  fields.forEach((field, index) => {
    row[field] = values[index];
  });
  return row as MessageRow;
}

/** The contents that are too long to be in the rows, by the id of the message. */
export function longContents(
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
