import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import type { SearchPlan } from "../narrow/plan-search.js";
import { bucketSizes } from "../search-index.js";
import { idsPerMessage, near, readRows, type Start, type Step, searchedIds } from "./step.js";

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
