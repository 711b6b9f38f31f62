import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idsLead, type Lead, type Order, type Window } from "../narrow/candidates.js";
import type { LeadingSearch, SearchPlan } from "../narrow/plan-search.js";
import { bucketSizes, type IdRange } from "../search-index.js";
import { jsonRows } from "./json-rows.js";
import { type MessageRow, messageColumns, messageRowJson, toMessageRow } from "./message-row.js";

/** Messages to read: the first of a range, from its one end or the other. */
export interface Wanted {
  readonly range: IdRange;
  readonly order: Order;
  readonly most: number;
  readonly content: "raw" | "rendered";
}

/** What a step is told. */
interface Start extends Wanted {
  /** How many candidates it may look at. */
  readonly limit: number;
  /** How many ids a search may look through at a time. */
  readonly ids: number;
  /** The step before it; undefined for the first one. */
  readonly previous: Step | undefined;
}

/** What a step has done. */
export interface Step {
  readonly rows: readonly MessageRow[];
  /** The ids that it was about; those that are left are beyond them. */
  readonly done: IdRange;
  readonly candidates: number;
  /** How many ids searches looked through, for all of their words together. */
  readonly searched: number;
  /** What it was, of the steps of a search. */
  readonly stage?: Stage;
}

/** The steps of a search: a few ids, all ids at once, bucket by bucket. */
type Stage = "near" | "everywhere" | "buckets";

/** How many ids a search looks through for each message of the page to begin with: for a common word that suffices. */
const idsPerMessage = 4;

/** How many ids searches look through in a range, for all words together. Collecting what is found costs as much as eight words. */
function searchedIds({ words, hasFilters }: SearchPlan, { from, below }: IdRange): number {
  return (below - from) * (words + (hasFilters ? 8 : 0));
}

/** So many ids of a range, from the end where reading starts. */
function near({ range, order }: Wanted, ids: number): IdRange {
  return order === "asc"
    ? { ...range, below: Math.min(range.from + ids, range.below) }
    : { ...range, from: Math.max(range.below - ids, range.from) };
}

/** The first candidate of a window. */
export function firstId(database: Database, lead: Lead, window: Window): number | undefined {
  return database.first(sql<{ message_id: number }>`${lead.candidates(window)}`)?.message_id;
}

/** The messages of a window that match. */
export function readRows(
  database: Database,
  plan: SearchPlan,
  lead: Lead,
  window: Window,
  { content, most }: Pick<Wanted, "content" | "most">,
): MessageRow[] {
  // The rows come in the order of the candidates, which are the outermost loop.
  return jsonRows<unknown[]>(database, {
    row: messageRowJson,
    from: sql`(select ${messageColumns(content, most)} from ${plan.matching(lead, window)} limit ${most})`,
  }).map(toMessageRow);
}

const [smallestBucket] = bucketSizes;

/** Reads on along the index that leads. */
export function readIndex(database: Database, plan: SearchPlan, start: Start): Step {
  const { order, most, limit, previous } = start;
  const few = previous === undefined ? most * idsPerMessage : smallestBucket;
  const range = plan.hasFilters ? near(start, Math.min(few, start.ids, smallestBucket)) : start.range;
  const window = { range, order, most: limit };
  const rows = readRows(database, plan, plan.lead, window, start);
  const ids = range.below - range.from;
  const searched = plan.hasFilters ? searchedIds(plan, range) : 0;
  // How many candidates had no match is not worth a query.
  if (rows.length === most) return { rows, done: range, candidates: most, searched };
  if (ids <= limit) return { rows, done: range, candidates: ids, searched };
  const looked = sql<{ count: number; lowest: number; highest: number }>`
    select count(*) as count, min(message_id) as lowest, max(message_id) as highest from (${plan.lead.candidates(window)})`;
  const { count = 0, lowest = 0, highest = 0 } = database.first(looked) ?? {};
  if (count < limit) return { rows, done: range, candidates: count, searched };
  return { rows, done: { from: lowest, below: highest + 1 }, candidates: count, searched };
}

/** How many hits everywhere are few enough to be collected. */
const few = 500;

/**
 * Reads on where a search leads. The index is slow to read downwards: what is wanted downwards is collected upwards, in a few ids to
 * begin with, then in buckets that are not likely to have more than a step may look at.
 */
export function readSearch(database: Database, plan: SearchPlan, search: LeadingSearch, start: Start): Step {
  const { order, most, limit, previous } = start;
  const stage = nextStage(plan, search, start);
  const isSmall = stage === "near" || (order === "desc" && isDense(search, start));
  const bucket = stage === "everywhere" ? undefined : isSmall ? smallestBucket : search.bucket;
  const span = Math.min(bucket ?? 0, start.ids);
  const range =
    stage === "everywhere"
      ? start.range
      : stage === "near"
        ? near(start, Math.min(span, idsPerMessage * most))
        : upToBucketEnd(database, plan, start, span);
  const mostHits =
    order === "asc"
      ? previous === undefined
        ? idsPerMessage * most
        : limit
      : stage === "everywhere"
        ? Math.min(few, limit)
        : Math.max(limit, smallestBucket) + 1;
  const ids = jsonRows<number>(database, {
    row: sql`message_id`,
    from: sql`(${search.hits(range, bucket, mostHits)})`,
  });
  const about = { stage, candidates: ids.length, searched: stage === "everywhere" ? 0 : searchedIds(plan, range) };
  if (order === "asc") {
    const below = ids.length === mostHits ? (ids.at(-1) ?? range.below) + 1 : range.below;
    return { ...about, rows: rowsOf(ids), done: { ...range, below } };
  }
  // The lowest of too many do not help.
  if (ids.length === mostHits) return { ...about, rows: [], done: { from: range.below, below: range.below } };
  const highest = ids.slice(-limit);
  const from = highest.length < ids.length ? (highest[0] ?? range.from) : range.from;
  return { ...about, rows: rowsOf(highest), done: { ...range, from } };

  function rowsOf(hits: readonly number[]) {
    return hits.length === 0 ? [] : readRows(database, plan, idsLead(hits), { range, order, most: hits.length }, start);
  }
}

function nextStage({ hasFilters }: SearchPlan, search: LeadingSearch, { order, previous, ...start }: Start): Stage {
  if (previous === undefined && (order === "desc" || hasFilters)) return "near";
  const isNew =
    previous === undefined || (previous.stage === "near" && !isDense(search, { order, previous, ...start }));
  return isNew && search.isOneWord && !hasFilters ? "everywhere" : "buckets";
}

/** Whether a widest bucket is likely to have more than a step may look at. */
function isDense({ bucket }: LeadingSearch, { previous, limit }: Start): boolean {
  if (previous === undefined) return false;
  const { done, candidates } = previous;
  return candidates * bucket > limit * (done.below - done.from);
}

/** The part of a range that is in the same bucket as the end where reading starts. */
function upToBucketEnd(database: Database, { lead }: SearchPlan, { range, order }: Start, span: number): IdRange {
  if (order === "desc") {
    const from = Math.floor((range.below - 1) / span) * span;
    return { ...range, from: Math.max(from, range.from) };
  }
  const below = Math.min((Math.floor(range.from / span) + 1) * span, range.below);
  // A bucket that is still being filled costs no more than what is in it.
  const last = firstId(database, lead, { range: { ...range, below }, order: "desc", most: 1 });
  return { ...range, below: last === undefined ? below : last + 1 };
}
