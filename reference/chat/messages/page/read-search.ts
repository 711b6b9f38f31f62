import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idsLead } from "../narrow/candidates.js";
import type { LeadingSearch, SearchPlan } from "../narrow/plan-search.js";
import { bucketSizes, type IdRange } from "../search-index.js";
import { jsonRows } from "./json-rows.js";
import { firstId, idsPerMessage, near, readRows, type Stage, type Start, type Step, searchedIds } from "./step.js";

const [smallestBucket] = bucketSizes;
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
