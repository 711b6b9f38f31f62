import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import type { Lead, Order, Window } from "../narrow/candidates.js";
import type { SearchPlan } from "../narrow/plan-search.js";
import type { IdRange } from "../search-index.js";
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
export interface Start extends Wanted {
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
export type Stage = "near" | "everywhere" | "buckets";

/** How many ids a search looks through for each message of the page to begin with: for a common word that suffices. */
export const idsPerMessage = 4;

/** How many ids searches look through in a range, for all words together. Collecting what is found costs as much as eight words. */
export function searchedIds({ words, hasFilters }: SearchPlan, { from, below }: IdRange): number {
  return (below - from) * (words + (hasFilters ? 8 : 0));
}

/** So many ids of a range, from the end where reading starts. */
export function near({ range, order }: Wanted, ids: number): IdRange {
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
