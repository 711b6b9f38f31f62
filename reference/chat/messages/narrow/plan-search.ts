import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../find-message.js";
import { type BucketSize, bucketSizes, type IdRange, searchQuery } from "../search-index.js";
import { idsLead, type Lead, matches, realmLead, receivedLead, termLead, type Window } from "./candidates.js";
import { countWords, isOneWord } from "./operands.js";
import type { NarrowTerm } from "./parse-narrow.js";
import { termCondition } from "./term-condition.js";

/** How the messages that match are found in the order of their ids, without sorting them. */
export interface SearchPlan {
  /** The index that gives the messages that are looked at. Where a search leads, it gives those that it may find. */
  readonly lead: Lead;
  /** The search that leads; undefined when an index leaves out more. */
  readonly search: LeadingSearch | undefined;
  /** Other searches look through all ids of a window, which must not be wider than the smallest bucket if there are any. */
  readonly hasFilters: boolean;
  /** How many words all searches have. */
  readonly words: number;
  /** What one candidate costs, in terms. */
  readonly weight: number;
  /**
   * What selects the messages of a window that match, in the order of the window: tables and conditions. Among the tables are
   * `message`, and `um`, the row of `user_message` of the user if there is one.
   */
  readonly matching: (lead: Lead, window: Window) => RawBuilder<unknown>;
}

/** A search whose hits are the candidates. */
export interface LeadingSearch {
  /** The widest buckets that it may look through. */
  readonly bucket: BucketSize;
  /** Whether it looks for one word, and so walks only messages that have it. */
  readonly isOneWord: boolean;
  /**
   * Selects the first `most` hits of a range from its lower end, as `message_id`. The range must not be wider than the bucket; without
   * one it may be any if there is one word, and messages of other organizations are found as well.
   */
  readonly hits: (range: IdRange, bucket: BucketSize | undefined, most: number) => RawBuilder<unknown>;
}

/** What is searched besides the narrow. */
export interface SearchOptions {
  /** Only these messages, wherever they are. */
  readonly ids?: readonly number[];
  /** Only messages that the user has received and not read. */
  readonly unread?: boolean;
}

type Reader = Pick<User, "id" | "realm_id" | "role">;

/** How many ids a full-text search may look through at a time, for all of its words together. It looks at 15 to 40 in 1 µs. */
export const mostSearched = 2 ** 17;

const [smallestBucket] = bucketSizes;

/**
 * Plans the search for messages that match a narrow and that the user may read. Without a channel operator it is confined to what
 * the user has received (Get messages, `narrow`), and so it is when a term asks about what only received messages have.
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
          hits: (range, bucket, most) => sql`${found(phrases, range, bucket)} order by ms.rowid limit ${most}`,
        }
      : undefined,
    hasFilters,
    words,
    weight: terms.reduce((sum, term) => sum + weightOf(term), 0),
    matching: (lead, window) => {
      const where = sql.join([...conditions, ...(hasFilters ? filters(window) : [])], sql` and `);
      return sql`${joined(user, lead.isReceived, received, lead.candidates(window))} where ${where}`;
    },
  };
}

/** CROSS JOIN keeps the order of the tables (SQLite, "Query Planning", section 8.3), and so that of the candidates. */
function joined(user: Reader, isReceived: boolean, received: boolean, candidates: RawBuilder<unknown>) {
  if (isReceived) return sql`(${candidates}) um cross join message on message.id = um.message_id`;
  const of = sql`user_message um on um.user_id = ${user.id} and um.message_id = c.message_id`;
  return received
    ? sql`(${candidates}) c cross join ${of} cross join message on message.id = c.message_id`
    : sql`(${candidates}) c cross join message on message.id = c.message_id left join ${of}`;
}

/** The widest bucket that so many words may be looked for in at a time. */
function bucketFor(words: number): BucketSize {
  return bucketSizes.findLast((size) => size * words <= mostSearched) ?? smallestBucket;
}

function weightOf(term: NarrowTerm): number {
  return term.kind === "direct-including" ? 1 + term.userIds.length / 2 : 1;
}
