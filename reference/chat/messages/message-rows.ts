import { type RawBuilder, type Selectable, sql } from "kysely";
import { isInGroupSql } from "../access/membership.js";
import type { Caller } from "../services.js";
import { type Database, isPostgres } from "../storage/database.js";
import type { Tables } from "../storage/tables.js";
import { type MessageSearch, matchingMessages, type Range } from "./narrow/find-messages.js";

/** A message with everything that its description needs. Empty lists are null in PostgreSQL. */
export interface MessageRow {
  readonly id: number;
  /** Bytes of the content and edit history. */
  readonly bytes: number;
  /** Whether the messages that were read together fit into `maxBytes`. Otherwise, `content` and `edits` are null. */
  readonly fits: boolean | 0 | 1;
  readonly content: string | null;
  /** Null if the caller has not received the message. */
  readonly is_read: boolean | null;
  readonly is_mentioned: boolean | null;
  readonly client: string;
  readonly topic: string;
  readonly sent_at: number;
  readonly edited_at: number | null;
  readonly moved_at: number | null;
  readonly is_me_message: boolean;
  /** Null for a direct message. */
  readonly channel_id: number | null;
  readonly channel_name: string | null;
  readonly sender_id: number;
  readonly sender_name: string;
  readonly sender_email: string;
  readonly sender_has_gravatar: boolean;
  /** Null if the caller has access to the sender. */
  readonly sender_hidden_id: number | null;
  /** Whether the caller may see real e-mail addresses. */
  readonly sees_real_emails: boolean | 0 | 1;
  /** The members of the conversation of a direct message, by id. */
  readonly members: Json<readonly MemberRow[]>;
  readonly reactions: Json<readonly ReactionRow[]>;
  /** Newest first. */
  readonly edits: Json<readonly EditRow[]>;
}

/** A value that an engine returns as JSON text or parsed. */
export type Json<Value> = string | Value | null;

export interface MemberRow {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  /** Null if the caller has access to the member. */
  readonly hidden_id: number | null;
}

export type ReactionRow = Omit<Selectable<Tables["reaction"]>, "realm_id" | "message_id">;
export type EditRow = Omit<Selectable<Tables["message_edit"]>, "realm_id" | "message_id" | "id">;

/** Which texts to read, and how many. */
export interface RowTexts {
  readonly content: "raw" | "rendered";
  readonly withEdits: boolean;
  /** Maximum bytes of all messages together. */
  readonly maxBytes: number;
}

/** The column of `message` for each form of the content. */
const contentColumns = { raw: "content", rendered: "rendered_content" } as const;
/** Estimated bytes of an edit history entry besides its texts. */
const entryBytes = 200;
/** Estimated bytes of a message besides its content and edit history. */
export const messageBytes = 2048;

/** Messages to read. */
export interface RowSelection {
  readonly search: MessageSearch;
  readonly ranges: readonly Range[];
  readonly texts: RowTexts;
}

/** Reads messages, ordered by id, with everything that their descriptions need, in one query. */
export async function readMessages(
  database: Database,
  { user, realm }: Caller,
  { search, ranges, texts: { content, withEdits, maxBytes } }: RowSelection,
): Promise<MessageRow[]> {
  const { members, reactions, edits } = isPostgres(database) ? postgresLists : sqliteLists;
  const column = sql.ref(`message.${contentColumns[content]}`);
  const historyBytes = sql`coalesce((
    select sum(${sql.lit(entryBytes)} + coalesce(octet_length(prev_content), 0)
      + coalesce(octet_length(prev_rendered_content), 0))
    from message_edit where message_edit.realm_id = message.realm_id and message_edit.message_id = message.id), 0)`;
  const columns = sql`message.id, um.is_read, um.is_mentioned,
    octet_length(${column}) + ${withEdits ? historyBytes : sql.lit(0)} as bytes`;
  // CROSS JOIN keeps the order of the tables in SQLite.
  const { rows } = await sql<MessageRow>`
    with found as materialized (${matchingMessages(database, search, ranges, columns)})
    select found.id, found.bytes, size.fits, found.is_read, found.is_mentioned,
      case when size.fits then ${column} end as content, message.client, message.topic, message.sent_at,
      message.edited_at, message.moved_at, message.is_me_message, message.channel_id, channel.name as channel_name,
      message.sender_id, sender.full_name as sender_name, sender.email as sender_email,
      sender.has_gravatar as sender_has_gravatar, hidden.user_id as sender_hidden_id,
      ${isInGroupSql(user, realm.real_emails_visible_to)} as sees_real_emails,
      case when message.channel_id is null then ${members(user.id)} end as members, ${reactions} as reactions,
      ${withEdits ? sql`case when size.fits then ${edits} end` : sql`null`} as edits
    from (select sum(bytes + ${sql.lit(messageBytes)}) <= ${sql.lit(maxBytes)} as fits from found) as size
      cross join found
      cross join message
      join "user" sender on sender.realm_id = message.realm_id and sender.id = message.sender_id
      left join channel on channel.realm_id = message.realm_id and channel.id = message.channel_id
      left join inaccessible_user hidden on hidden.realm_id = message.realm_id and hidden.viewer_id = ${user.id}
        and hidden.user_id = message.sender_id
    where message.realm_id = ${realm.id} and message.id = found.id`.execute(database);
  return rows.sort((one, other) => one.id - other.id);
}

/** Queries for the lists of a row of `message`, as JSON. */
interface Lists {
  readonly members: (viewerId: number) => RawBuilder<unknown>;
  readonly reactions: RawBuilder<unknown>;
  readonly edits: RawBuilder<unknown>;
}

function listsWith(listOf: string, object: string): Lists {
  const list = (table: string, fields: string, order: string, rest: RawBuilder<unknown>) => {
    const pairs = fields.split(" ").map((field) => `'${field}', ${table}.${field}`);
    return sql`(select ${sql.raw(`${listOf}(${object}(${pairs.join(", ")}) order by ${order})`)} ${rest})`;
  };
  const ofMessage = (table: string) =>
    sql`where ${sql.ref(`${table}.realm_id`)} = message.realm_id and ${sql.ref(`${table}.message_id`)} = message.id`;
  const edit = "user_id edited_at prev_content prev_rendered_content prev_channel_id channel_id prev_topic topic";
  return {
    members: (viewerId) =>
      list(
        "member",
        "id email full_name hidden_id",
        "member.id",
        sql`from (
          select u.id, u.email, u.full_name, h.user_id as hidden_id from conversation_member cm
            join "user" u on u.realm_id = cm.realm_id and u.id = cm.user_id
            left join inaccessible_user h on h.realm_id = u.realm_id and h.viewer_id = ${viewerId} and h.user_id = u.id
          where cm.realm_id = message.realm_id and cm.conversation_id = message.conversation_id) as member`,
      ),
    reactions: list(
      "reaction",
      "emoji_name emoji_code reaction_type user_id",
      "user_id, reaction_type, emoji_code",
      sql`from reaction ${ofMessage("reaction")}`,
    ),
    edits: list("message_edit", edit, "message_edit.id desc", sql`from message_edit ${ofMessage("message_edit")}`),
  };
}

const postgresLists = listsWith("json_agg", "json_build_object");
const sqliteLists = listsWith("json_group_array", "json_object");
