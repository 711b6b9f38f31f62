import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../find-message.js";
import { type BucketSize, bucketSizes, type IdRange, searchQuery } from "../search-index.js";
import { idsLead, type Lead, matches, realmLead, receivedLead, termLead, type Window } from "./candidates.js";
import { countWords, isOneWord } from "./operands.js";
import type { NarrowTerm } from "./parse-narrow.js";
import { termCondition } from "./term-condition.js";

/** A plan that finds matching messages in id order without sorting. */
export interface SearchPlan {
  /** The index that yields the candidates. If a full-text search leads, the index bounds what the search can find. */
  readonly lead: Lead;
  /** The leading full-text search; undefined if an index is more selective. */
  readonly search: LeadingSearch | undefined;
  /**
   * Whether other searches filter the candidates. They scan all ids of a window, which then must not be wider than the smallest
   * bucket.
   */
  readonly hasFilters: boolean;
  /** The number of words in all searches. */
  readonly words: number;
  /** The cost of one candidate, counted in terms. */
  readonly weight: number;
  /**
   * The tables and conditions that select the matching messages of a window, in its order. The tables include `message`, and as
   * `um` the user's row of `user_message`, if any.
   */
  readonly matching: (lead: Lead, window: Window) => RawBuilder<unknown>;
}

/** A full-text search whose hits are the candidates. */
export interface LeadingSearch {
  /** The widest bucket that it may scan. */
  readonly bucket: BucketSize;
  /** Whether it looks for a single word, and so visits only messages with that word. */
  readonly isOneWord: boolean;
  /**
   * Selects the first `max` hits of a range in ascending order, as `message_id`. The range must not be wider than the bucket.
   * Without a bucket, which only a single word allows, the range may be any, and hits include messages of other organizations.
   */
  readonly hits: (range: IdRange, bucket: BucketSize | undefined, max: number) => RawBuilder<unknown>;
}

/** Restrictions besides the narrow. */
export interface SearchOptions {
  /** Only the messages with these ids. */
  readonly ids?: readonly number[];
  /** Only messages that the user has received and not read. */
  readonly unread?: boolean;
}

type Reader = Pick<User, "id" | "realm_id" | "role">;

/**
 * Maximum ids that a full-text search may scan at once, for all of its words together. It scans 15 to 40 ids per microsecond.
 */
export const maxSearchedIds = 2 ** 17;

const [smallestBucket] = bucketSizes;

/**
 * Plans the search for messages that match a narrow and that the user may read. It covers only received messages if the narrow
 * has no channel operator (Get messages, `narrow`), or has a term that applies only to received messages.
 */
export function planSearch(user: Reader, terms: readonly NarrowTerm[], options: SearchOptions = {}): SearchPlan {
  const { ids, unread = false } = options;
  const positive = terms.filter(({ negated }) => !negated);
  const isAboutReceived = positive.some((term) => term.kind === "is" && ["mentioned", "unread"].includes(term.what));
  const isInChannels = positive.some(({ kind }) => kind === "channel" || kind === "public-channels");
  const received = unread || isAboutReceived || (ids === undefined && !isInChannels);

  const phrases = positive.flatMap((term) => (term.kind === "search" ? term.phrases : []));
  const excluded = terms.flatMap((term) =>
    term.kind === "search" && term.negated && term.phrases.length > 0 ? [term.phrases] : [],
  );
  const wantedIds = ids ?? positive.flatMap((term) => (term.kind === "id" ? [term.id] : [])).slice(0, 1);
  const byIds = ids !== undefined || wantedIds.length > 0;
  const bySearch = phrases.length > 0 && !byIds;
  const inAll = received ? receivedLead(user, "all") : realmLead(user);
  const words = countWords([...phrases, ...excluded.flat()]);
  const hasFilters = excluded.length > 0 || (phrases.length > 0 && !bySearch);

  const found = (text: readonly string[], range: IdRange, bucket: BucketSize | undefined) =>
    sql<SqlBool>`select ms.rowid as message_id from message_search ms
      where ${matches(searchQuery(user.realm_id, text, range, bucket), range)}`;
  const conditions = [accessibleTo(user), ...terms.map((term) => termCondition(user, term))];
  if (unread) conditions.push(sql`um.is_read = 0`);
  const filters = ({ range }: Window) => [
    ...(phrases.length > 0 && !bySearch
      ? [sql<SqlBool>`message.id in (${found(phrases, range, smallestBucket)})`]
      : []),
    ...excluded.map((text) => sql<SqlBool>`message.id not in (${found(text, range, smallestBucket)})`),
  ];
  return {
    lead: byIds ? idsLead(wantedIds) : (termLead(user, positive, unread) ?? inAll),
    search: bySearch
      ? {
          isOneWord: phrases.length === 1 && phrases.every(isOneWord),
          bucket: hasFilters ? smallestBucket : bucketFor(words),
          hits: (range, bucket, max) => sql`${found(phrases, range, bucket)} order by ms.rowid limit ${max}`,
        }
      : undefined,
    hasFilters,
    words,
    weight: terms.reduce((sum, term) => sum + weightOf(term), 0),
    matching: (lead, window) => {
      const where = sql.join([...conditions, ...(hasFilters ? filters(window) : [])], sql` and `);
      return sql`${joinTables(user, lead.isReceived, received, lead.candidates(window))} where ${where}`;
    },
  };
}

/**
 * CROSS JOIN keeps the order of the tables (SQLite, "Query Planning", section 8.3), and thereby the order of the candidates.
 */
function joinTables(user: Reader, isReceived: boolean, received: boolean, candidates: RawBuilder<unknown>) {
  if (isReceived) return sql`(${candidates}) um cross join message on message.id = um.message_id`;
  const of = sql`user_message um on um.user_id = ${user.id} and um.message_id = c.message_id`;
  return received
    ? sql`(${candidates}) c cross join ${of} cross join message on message.id = c.message_id`
    : sql`(${candidates}) c cross join message on message.id = c.message_id left join ${of}`;
}

/** The widest bucket that may be scanned at once for this number of words. */
function bucketFor(words: number): BucketSize {
  return bucketSizes.findLast((size) => size * words <= maxSearchedIds) ?? smallestBucket;
}

function weightOf(term: NarrowTerm): number {
  return term.kind === "direct-including" ? 1 + term.userIds.length / 2 : 1;
}
