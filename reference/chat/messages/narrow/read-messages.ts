import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Database, idList, isPostgres } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../find-message.js";
import { matchesPhrases } from "../search-index.js";
import type { NarrowTerm } from "./parse-narrow.js";
import { termCondition } from "./term-condition.js";

/** A message of a page, and what the user has done with it. */
export interface MessageRow {
  readonly id: number;
  readonly sender_id: number;
  readonly channel_id: number | null;
  readonly conversation_id: number | null;
  readonly topic: string;
  readonly sent_at: number;
  readonly edited_at: number | null;
  readonly moved_at: number | null;
  readonly client: string;
  readonly is_me_message: boolean;
  /** Null if the user has not received the message. */
  readonly is_read: boolean | null;
  readonly is_mentioned: boolean | null;
  /** Length of the content as UTF-8. */
  readonly content_bytes: number;
}

/** A user who reads messages. */
export type Reader = Pick<User, "id" | "realm_id" | "role">;

/** Messages to read: the first `max` that match, in the order of their ids. */
export interface MessageSearch {
  readonly user: Reader;
  readonly terms: readonly NarrowTerm[];
  /** The form of the content whose length is needed. */
  readonly content: "raw" | "rendered";
  readonly max: number;
  /** Defaults to ascending. */
  readonly order?: "asc" | "desc";
  /** The first id. */
  readonly from?: number;
  /** The first id above the range. */
  readonly below?: number;
  /** Only the messages with these ids. */
  readonly ids?: readonly number[];
  /** Only messages that the user has received and not read. */
  readonly unread?: boolean;
}

/**
 * Reads messages that match a narrow and that the user may read. Covers only received messages if the narrow has no channel
 * operator (Get messages, `narrow`), or has a term that applies only to received messages.
 */
export async function readMessages(database: Database, search: MessageSearch): Promise<MessageRow[]> {
  const { user, terms, max, order = "asc", from, below, ids, unread = false } = search;
  const { id: userId, realm_id: realmId } = user;
  const isReceived = coversReceived(search);
  const phrases = terms.flatMap((term) => (term.kind === "search" && !term.negated ? term.phrases : []));
  const source = sourceOf(database, search, phrases);
  const conditions: RawBuilder<unknown>[] = [accessibleTo(user), ...terms.map((term) => termCondition(user, term))];
  if (from !== undefined) conditions.push(sql`${source.id} >= ${integer(from)}`);
  if (below !== undefined) conditions.push(sql`${source.id} < ${integer(below)}`);
  if (ids !== undefined) conditions.push(sql`message.id in ${idList(database, ids)}`);
  if (unread) conditions.push(sql`not um.is_read`);
  if (source.kind === "search") conditions.push(matchesPhrases(database, realmId, phrases));
  else if (phrases.length > 0) conditions.push(isFound(database, search, phrases));
  for (const term of terms) {
    if (term.kind !== "search" || !term.negated || term.phrases.length === 0) continue;
    conditions.push(sql`not ${isFound(database, search, term.phrases)}`);
  }
  const ofUser = sql`um.realm_id = ${realmId} and um.user_id = ${userId}`;
  const tables =
    source.kind === "received"
      ? source.tables
      : sql`${source.tables} ${sql.raw(isReceived ? "join" : "left join")}
          user_message um on ${ofUser} and um.message_id = message.id`;
  if (source.kind === "received") conditions.push(ofUser, sql`message.realm_id = ${realmId}`);
  conditions.push(...source.conditions);
  const { rows } = await sql<MessageRow>`
    select message.id, message.sender_id, message.channel_id, message.conversation_id, message.topic, message.sent_at,
      message.edited_at, message.moved_at, message.client, message.is_me_message, um.is_read, um.is_mentioned,
      octet_length(${sql.ref(`message.${contentColumns[search.content]}`)}) as content_bytes
    from ${tables}
    where ${sql.join(conditions, sql` and `)}
    order by ${source.id} ${sql.raw(order)} limit ${max}`.execute(database);
  return rows;
}

/** The column of `message` for each form of the content. */
export const contentColumns = { raw: "content", rendered: "rendered_content" } as const;

function coversReceived({ terms, ids, unread = false }: MessageSearch): boolean {
  const positive = terms.filter(({ negated }) => !negated);
  const isAboutReceived = positive.some((term) => term.kind === "is" && ["mentioned", "unread"].includes(term.what));
  const isInChannels = positive.some(({ kind }) => kind === "channel" || kind === "public-channels");
  return unread || isAboutReceived || (ids === undefined && !isInChannels);
}

/** The table whose index yields the messages in the order of their ids. */
interface Source {
  readonly kind: "search" | "received" | "message";
  readonly id: RawBuilder<unknown>;
  readonly tables: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<SqlBool>[];
}

/**
 * Chooses the source: a topic, a conversation or a sender has only a few of all messages. CROSS JOIN keeps the order of the tables in
 * SQLite ("Query Planning", section 8.3); PostgreSQL finds it by itself.
 */
function sourceOf(database: Database, search: MessageSearch, phrases: readonly string[]): Source {
  const isWanted = (...kinds: NarrowTerm["kind"][]) =>
    search.terms.some(({ kind, negated }) => !negated && kinds.includes(kind));
  const message = { kind: "message", id: sql`message.id`, tables: sql`message`, conditions: [] } as const;
  if (search.ids !== undefined || isWanted("id")) return message;
  if (phrases.length > 0) {
    const tables = sql`message_search ms cross join message`;
    return { kind: "search", id: sql`ms.rowid`, tables, conditions: [sql<SqlBool>`message.id = ms.rowid`] };
  }
  const isOfReceived =
    coversReceived(search) && (search.unread || isWanted("is") || !isWanted("channel", "direct", "sender"));
  if (!isOfReceived || (isWanted("channel") && isWanted("topic"))) return message;
  const tables = sql`user_message um ${receivedIndex(database, search)} cross join message`;
  return { kind: "received", id: sql`um.message_id`, tables, conditions: [sql<SqlBool>`message.id = um.message_id`] };
}

/** SQLite has no statistics that would tell it that few messages are unread, or mention the user. */
function receivedIndex(database: Database, { terms, unread }: MessageSearch): RawBuilder<unknown> {
  const isAbout = (what: string) => terms.some((term) => term.kind === "is" && term.what === what && !term.negated);
  if (isPostgres(database)) return sql``;
  if (isAbout("mentioned")) return sql`indexed by user_message_mentioned`;
  return unread || isAbout("unread") ? sql`indexed by user_message_unread` : sql``;
}

/**
 * SQL condition that a row of `message` has all phrases. PostgreSQL looks at the words of each candidate; for SQLite, collecting
 * all hits at once is much faster.
 */
function isFound(
  database: Database,
  { user, from, below }: MessageSearch,
  phrases: readonly string[],
): RawBuilder<SqlBool> {
  const matches = matchesPhrases(database, user.realm_id, phrases);
  if (isPostgres(database)) {
    return sql<SqlBool>`exists (
      select 1 from message_search ms
      where ms.realm_id = ${user.realm_id} and ms.rowid = message.id and ${matches})`;
  }
  const range = [
    ...(from === undefined ? [] : [sql` and ms.rowid >= ${integer(from)}`]),
    ...(below === undefined ? [] : [sql` and ms.rowid < ${integer(below)}`]),
  ];
  return sql<SqlBool>`message.id in (
    select ms.rowid from message_search ms where ${matches}${sql.join(range, sql``)})`;
}

/** Casts a number for comparison with ids. The driver of SQLite binds reals, for which the full-text index cannot seek. */
function integer(value: number): RawBuilder<number> {
  return sql`cast(${value} as bigint)`;
}
