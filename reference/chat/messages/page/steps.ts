import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idsLead, type Lead, type Order, type Window } from "../narrow/candidates.js";
import type { LeadingSearch, SearchPlan } from "../narrow/plan-search.js";
import { bucketSizes, type IdRange } from "../search-index.js";
import { jsonRows } from "./json-rows.js";
import { type MessageRow, messageColumns, messageRowJson, toMessageRow } from "./message-row.js";

/** Messages to read: the first `max` of a range in the given order. */
export interface Wanted {
  readonly range: IdRange;
  readonly order: Order;
  readonly max: number;
  readonly content: "raw" | "rendered";
}

/** Input of a step. */
interface Start extends Wanted {
  /** Maximum candidates that it may examine. */
  readonly limit: number;
  /** Maximum ids that a search may scan. */
  readonly ids: number;
  /** The previous step; undefined for the first one. */
  readonly previous: Step | undefined;
}

/** Result of a step. */
export interface Step {
  readonly rows: readonly MessageRow[];
  /** The ids that it covered; the remaining ids are beyond them. */
  readonly done: IdRange;
  readonly candidates: number;
  /** Ids that searches scanned, for all of their words together. */
  readonly searched: number;
  /** The stage, for a step of a full-text search. */
  readonly stage?: Stage;
}

/** Stages of a full-text search: a few nearby ids, all ids at once, bucket by bucket. */
type Stage = "near" | "everywhere" | "buckets";

/** Ids that a search scans at first for each message of the page, which suffices for a common word. */
const idsPerMessage = 4;

/** Ids that searches scan in a range, for all words together. Collecting the hits costs as much as eight words. */
function searchedIds({ words, hasFilters }: SearchPlan, { from, below }: IdRange): number {
  return (below - from) * (words + (hasFilters ? 8 : 0));
}

/** The first `ids` ids of a range, from the end where reading starts. */
function near({ range, order }: Wanted, ids: number): IdRange {
  return order === "asc"
    ? { ...range, below: Math.min(range.from + ids, range.below) }
    : { ...range, from: Math.max(range.below - ids, range.from) };
}

/** The first candidate of a window. */
export function firstId(database: Database, lead: Lead, window: Window): number | undefined {
  return database.first(sql<{ message_id: number }>`${lead.candidates(window)}`)?.message_id;
}

/** Reads the matching messages of a window. */
export function readRows(
  database: Database,
  plan: SearchPlan,
  lead: Lead,
  window: Window,
  { content, max }: Pick<Wanted, "content" | "max">,
): MessageRow[] {
  // Rows arrive in the order of the candidates, which are the outermost loop.
  return jsonRows<unknown[]>(database, {
    row: messageRowJson,
    from: sql`(select ${messageColumns(content, max)} from ${plan.matching(lead, window)} limit ${max})`,
  }).map(toMessageRow);
}

const [smallestBucket] = bucketSizes;

/** Continues along the leading index. */
export function readIndex(database: Database, plan: SearchPlan, start: Start): Step {
  const { order, max, limit, previous } = start;
  const firstIds = previous === undefined ? max * idsPerMessage : smallestBucket;
  const range = plan.hasFilters ? near(start, Math.min(firstIds, start.ids, smallestBucket)) : start.range;
  const window = { range, order, max: limit };
  const rows = readRows(database, plan, plan.lead, window, start);
  const ids = range.below - range.from;
  const searched = plan.hasFilters ? searchedIds(plan, range) : 0;
  // The number of candidates without a match is not worth a query.
  if (rows.length === max) return { rows, done: range, candidates: max, searched };
  if (ids <= limit) return { rows, done: range, candidates: ids, searched };
  const looked = sql<{ count: number; lowest: number; highest: number }>`
    select count(*) as count, min(message_id) as lowest, max(message_id) as highest from (${plan.lead.candidates(window)})`;
  const { count = 0, lowest = 0, highest = 0 } = database.first(looked) ?? {};
  if (count < limit) return { rows, done: range, candidates: count, searched };
  return { rows, done: { from: lowest, below: highest + 1 }, candidates: count, searched };
}

/** Maximum hits to collect in a search over all ids. */
const maxCollectedHits = 500;

/**
 * Continues a leading full-text search. The index is slow in descending order, so descending reads collect ids in ascending
 * order: first a few ids, then buckets that are unlikely to exceed the limit of a step.
 */
export function readSearch(database: Database, plan: SearchPlan, search: LeadingSearch, start: Start): Step {
  const { order, max, limit, previous } = start;
  const stage = nextStage(plan, search, start);
  const isSmall = stage === "near" || (order === "desc" && isDense(search, start));
  const bucket = stage === "everywhere" ? undefined : isSmall ? smallestBucket : search.bucket;
  const span = Math.min(bucket ?? 0, start.ids);
  const range =
    stage === "everywhere"
      ? start.range
      : stage === "near"
        ? near(start, Math.min(span, idsPerMessage * max))
        : withinBucket(database, plan, start, span);
  const maxHits =
    order === "asc"
      ? previous === undefined
        ? idsPerMessage * max
        : limit
      : stage === "everywhere"
        ? Math.min(maxCollectedHits, limit)
        : Math.max(limit, smallestBucket) + 1;
  const ids = jsonRows<number>(database, {
    row: sql`message_id`,
    from: sql`(${search.hits(range, bucket, maxHits)})`,
  });
  const about = { stage, candidates: ids.length, searched: stage === "everywhere" ? 0 : searchedIds(plan, range) };
  if (order === "asc") {
    const below = ids.length === maxHits ? (ids.at(-1) ?? range.below) + 1 : range.below;
    return { ...about, rows: rowsOf(ids), done: { ...range, below } };
  }
  // If there are too many hits, the lowest ones are useless.
  if (ids.length === maxHits) return { ...about, rows: [], done: { from: range.below, below: range.below } };
  const highest = ids.slice(-limit);
  const from = highest.length < ids.length ? (highest[0] ?? range.from) : range.from;
  return { ...about, rows: rowsOf(highest), done: { ...range, from } };

  function rowsOf(hits: readonly number[]) {
    return hits.length === 0 ? [] : readRows(database, plan, idsLead(hits), { range, order, max: hits.length }, start);
  }
}

function nextStage({ hasFilters }: SearchPlan, search: LeadingSearch, { order, previous, ...start }: Start): Stage {
  if (previous === undefined && (order === "desc" || hasFilters)) return "near";
  const isNew =
    previous === undefined || (previous.stage === "near" && !isDense(search, { order, previous, ...start }));
  return isNew && search.isOneWord && !hasFilters ? "everywhere" : "buckets";
}

/** Whether a scan of the widest bucket is likely to exceed the limit of a step. */
function isDense({ bucket }: LeadingSearch, { previous, limit }: Start): boolean {
  if (previous === undefined) return false;
  const { done, candidates } = previous;
  return candidates * bucket > limit * (done.below - done.from);
}

/** The part of a range that shares a bucket with the end where reading starts. */
function withinBucket(database: Database, { lead }: SearchPlan, { range, order }: Start, span: number): IdRange {
  if (order === "desc") {
    const from = Math.floor((range.below - 1) / span) * span;
    return { ...range, from: Math.max(from, range.from) };
  }
  const below = Math.min((Math.floor(range.from / span) + 1) * span, range.below);
  // Skips the empty part of a bucket that is still being filled.
  const last = firstId(database, lead, { range: { ...range, below }, order: "desc", max: 1 });
  return { ...range, below: last === undefined ? below : last + 1 };
}
