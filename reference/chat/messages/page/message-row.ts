import { type RawBuilder, sql } from "kysely";

/**
 * A message of the page. The columns travel as one JSON text for all rows, which costs a third of what the driver takes for as many
 * columns. So that this text remains small, whatever the messages say, a long content is not in it.
 */
export type MessageRow = readonly [
  id: number,
  senderId: number,
  channelId: number | null,
  conversationId: number | null,
  topic: string,
  /** Rendered, or raw Markdown. Null when it is long (`longContents`). */
  content: string | null,
  sentAt: number,
  editedAt: number | null,
  movedAt: number | null,
  client: string,
  isMeMessage: 0 | 1,
  /** Null when the user has not received the message. */
  isRead: 0 | 1 | null,
  isMentioned: 0 | 1 | null,
  /** Length of the content as UTF-8. */
  contentBytes: number,
];

/** The column of `message` that holds the content in a form. */
export const contentColumns = { raw: "content", rendered: "rendered_content" } as const;

/** Longest content that is in a row, in bytes. */
const mostInRow = 2048;

const columns = (content: "content" | "rendered_content") =>
  sql.raw(
    `message.id, message.sender_id, message.channel_id, message.conversation_id, message.topic,
      case when octet_length(message.${content}) <= ${mostInRow} then message.${content} end as content,
      message.sent_at, message.edited_at, message.moved_at, message.client, message.is_me_message, um.is_read, um.is_mentioned,
      octet_length(message.${content}) as content_bytes`,
  );

/** The columns of a `MessageRow`, of the tables of a search plan. */
export const messageColumns: Record<"raw" | "rendered", RawBuilder<unknown>> = {
  raw: columns(contentColumns.raw),
  rendered: columns(contentColumns.rendered),
};

/** A `MessageRow` as JSON, of a subquery that selects `messageColumns`. */
export const messageRowJson = sql.raw(
  `json_array(id, sender_id, channel_id, conversation_id, topic, content,
    sent_at, edited_at, moved_at, client, is_me_message, is_read, is_mentioned, content_bytes)`,
);
