import { type RawBuilder, type SqlBool, sql } from "kysely";
import { accessibleTo } from "../../access/find-message.js";
import { type Database, idList, isPostgres } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import { matchesPhrases } from "../search-index.js";
import type { NarrowTerm } from "./parse-narrow.js";
import { termCondition } from "./term-condition.js";

/** A user who reads messages. */
export type Reader = Pick<User, "id" | "realm_id" | "role">;

/** Messages that match. */
export interface MessageSearch {
  readonly user: Reader;
  readonly terms: readonly NarrowTerm[];
  /** Only the messages with these ids. */
  readonly ids?: readonly number[];
  /** Only messages that the user has received and not read. */
  readonly unread?: boolean;
}

/** The first `max` messages in the order of their ids. */
export interface Range {
  readonly max: number;
  /** Defaults to ascending. */
  readonly order?: "asc" | "desc";
  /** The first id. */
  readonly from?: number;
  /** The first id above the range. */
  readonly below?: number;
}

/** Finds the ids of messages that match a narrow, as `matchingMessages` does. */
export async function findMessages(
  database: Database,
  search: MessageSearch,
  ranges: readonly Range[],
): Promise<{ readonly id: number }[]> {
  const { rows } = await matchingMessages(database, search, ranges, sql`message.id`).execute(database);
  return rows;
}

/**
 * A query for messages that match a narrow and that the user may read, in one or more ranges. Covers only received messages if the
 * search has neither ids nor a channel operator (Get messages, `narrow`), or has a term that applies only to received messages.
 * `columns` are of `message`, and of `um`, the row of `user_message`, if the user has received the message.
 */
export function matchingMessages<Row extends { readonly id: number }>(
  database: Database,
  search: MessageSearch,
  ranges: readonly Range[],
  columns: RawBuilder<unknown>,
): RawBuilder<Row> {
  const queries = ranges.map((range) => sql`select * from (${queryOf(database, search, range, columns)}) as matching`);
  return sql<Row>`${sql.join(queries, sql` union all `)}`;
}

function queryOf(
  database: Database,
  search: MessageSearch,
  range: Range,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { user, terms, ids, unread = false } = search;
  const { max, order = "asc", from, below } = range;
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
  else if (phrases.length > 0) conditions.push(isFound(database, user, range, phrases));
  for (const term of terms) {
    if (term.kind !== "search" || !term.negated || term.phrases.length === 0) continue;
    conditions.push(sql`not ${isFound(database, user, range, term.phrases)}`);
  }
  const ofUser = sql`um.realm_id = ${realmId} and um.user_id = ${userId}`;
  const tables =
    source.kind === "received"
      ? source.tables
      : sql`${source.tables} ${sql.raw(isReceived ? "join" : "left join")}
          user_message um on ${ofUser} and um.message_id = message.id`;
  if (source.kind === "received") conditions.push(ofUser, sql`message.realm_id = ${realmId}`);
  conditions.push(...source.conditions);
  // With a parameter as the limit, the generic plan of PostgreSQL would expect a tenth of all messages.
  return sql`
    select ${columns} from ${tables}
    where ${sql.join(conditions, sql` and `)}
    order by ${source.id} ${sql.raw(order)} limit ${sql.lit(max)}`;
}

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
  if (search.ids !== undefined) return message;
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

/** Tells SQLite which index to use, because its statistics do not show that few messages are unread or mention the user. */
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
  user: Reader,
  { from, below }: Range,
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
