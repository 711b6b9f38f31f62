import { type RawBuilder, type Selectable, sql } from "kysely";
import { isInGroupSql } from "../groups/membership.js";
import type { Caller } from "../services.js";
import { type Database, idListOf, idParameter, isPostgres } from "../storage/database.js";
import { prepareQuery } from "../storage/prepare-query.js";
import type { MessageEditTable, ReactionTable } from "../storage/tables.js";
import { contentColumns } from "./narrow/find-messages.js";

/** A message with everything that its description needs. Empty lists are null in PostgreSQL. */
export interface MessageRow {
  readonly id: number;
  readonly content: string;
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

export type ReactionRow = Omit<Selectable<ReactionTable>, "realm_id" | "message_id">;
export type EditRow = Omit<Selectable<MessageEditTable>, "realm_id" | "message_id" | "id">;

/** Which columns to read. Those that are omitted are null. */
export interface RowColumns {
  readonly content: "raw" | "rendered";
  readonly withMembers: boolean;
  readonly withEdits: boolean;
}

/** Reads messages by id. */
export async function readMessageRows(
  database: Database,
  { user, realm }: Caller,
  ids: readonly number[],
  columns: RowColumns,
): Promise<readonly MessageRow[]> {
  const key = Object.values(columns).join();
  queries[key] ??= prepareRowQuery(columns);
  const viewer = [user.id, user.role, realm.id, realm.real_emails_visible_to] as const;
  return queries[key](database, idParameter(database, ids), ...viewer);
}

const queries: Record<string, ReturnType<typeof prepareRowQuery>> = {};

function prepareRowQuery({ content, withMembers, withEdits }: RowColumns) {
  return prepareQuery((database, ids: unknown, viewerId: number, role: number, realmId: number, groupId: number) => {
    const { members, reactions, edits } = isPostgres(database) ? postgresLists : sqliteLists;
    const query = sql<MessageRow>`
      select message.id, message.${sql.raw(contentColumns[content])} as content, message.client, message.topic,
        message.sent_at, message.edited_at, message.moved_at, message.is_me_message, message.channel_id,
        channel.name as channel_name, message.sender_id, sender.full_name as sender_name, sender.email as sender_email,
        sender.has_gravatar as sender_has_gravatar, hidden.user_id as sender_hidden_id,
        ${isInGroupSql({ id: viewerId, role, realm_id: realmId }, groupId)} as sees_real_emails,
        ${withMembers ? members(viewerId) : sql`null`} as members, ${reactions} as reactions,
        ${withEdits ? edits : sql`null`} as edits
      from message
        join "user" sender on sender.realm_id = message.realm_id and sender.id = message.sender_id
        left join channel on channel.realm_id = message.realm_id and channel.id = message.channel_id
        left join inaccessible_user hidden on hidden.realm_id = message.realm_id and hidden.viewer_id = ${viewerId}
          and hidden.user_id = message.sender_id
      where message.realm_id = ${realmId} and message.id in ${idListOf(database, ids)}`;
    return { compile: () => query.compile(database) };
  });
}

/** Estimated bytes of an edit history entry besides its texts. */
const entryBytes = 200;

/** Approximate bytes of the edit histories of messages together. Stops counting at about `max`. */
export async function historyBytes(
  database: Database,
  realmId: number,
  ids: readonly number[],
  max: number,
): Promise<number> {
  const [sum] = await historySums(database, realmId, idParameter(database, ids), Math.ceil(max / entryBytes));
  return sum?.bytes ?? 0;
}

const historySums = prepareQuery((database, realmId: number, ids: unknown, maxEntries: number) => {
  const query = sql<{ bytes: number | null }>`
    select sum(bytes) as bytes from (
      select ${sql.lit(entryBytes)} + coalesce(octet_length(prev_content), 0)
        + coalesce(octet_length(prev_rendered_content), 0) as bytes
      from message_edit where realm_id = ${realmId} and message_id in ${idListOf(database, ids)}
      limit ${maxEntries}
    ) as edits`;
  return { compile: () => query.compile(database) };
});

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
