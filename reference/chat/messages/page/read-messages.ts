import type { Database } from "../../storage/database.js";
import type { Lead, Order } from "../narrow/candidates.js";
import { maxSearchedIds, type SearchPlan } from "../narrow/plan-search.js";
import type { IdRange } from "../search-index.js";
import type { MessageRow } from "./message-row.js";
import { firstId, readIndex, readRows, readSearch, type Step, type Wanted } from "./steps.js";

/** Maximum work in one time slice, before other requests get a turn. */
export interface WorkBudget {
  /** Rows of an index; fewer for narrows with many conditions. A page whose rows all match is always read in one slice. */
  readonly candidates: number;
  /** The widest range of ids that a search scans at once. */
  readonly ids: number;
}

/** The default, which takes a few milliseconds. */
export const defaultBudget: WorkBudget = { candidates: 3000, ids: 131_072 };

/** The cost of the current time slice so far; 1 uses it up. */
export interface TimeSlice {
  readonly budget: WorkBudget;
  spent: number;
}

const minCandidates = 16;

/** Maximum candidates in a time slice, given the weight of one (see `SearchPlan`). */
function candidatesPerSlice({ budget }: TimeSlice, weight: number): number {
  return Math.min(budget.candidates, Math.max(minCandidates, Math.floor(budget.candidates / (1 + weight / 4))));
}

/** Cost of a step that finds no candidate. */
const stepCost = 1 / 16;

/**
 * Reads the messages that a plan finds, in steps that each examine a bounded number of rows. Yields between steps when the time
 * slice is used up.
 */
export function* readMessages(
  database: Database,
  plan: SearchPlan,
  wanted: Wanted,
  timeSlice: TimeSlice,
): Generator<void, MessageRow[]> {
  const rows: MessageRow[] = [];
  const perSlice = candidatesPerSlice(timeSlice, plan.weight);
  let previous: Step | undefined;
  let range: IdRange | undefined = wanted.range;
  while (rows.length < wanted.max) {
    range = scansIds(plan, wanted.order, previous) ? skipToNext(database, plan.lead, range, wanted.order) : range;
    if (range === undefined || range.from >= range.below) return rows;
    if (timeSlice.spent >= 1) {
      yield;
      timeSlice.spent = 0;
    }
    const max = wanted.max - rows.length;
    const start = { ...wanted, range, max, limit: perSlice + wanted.max, ids: timeSlice.budget.ids, previous };
    const step: Step =
      plan.search === undefined ? readIndex(database, plan, start) : readSearch(database, plan, plan.search, start);
    rows.push(...step.rows);
    timeSlice.spent += stepCost + step.candidates / perSlice + step.searched / maxSearchedIds;
    range = wanted.order === "asc" ? { ...range, from: step.done.below } : { ...range, below: step.done.from };
    previous = step;
  }
  return rows;
}

/** Reads the messages of a plan without a text search, in a single step that examines as many rows as requested. */
export function readAtOnce(
  database: Database,
  plan: SearchPlan,
  { content, ...window }: Wanted,
): readonly MessageRow[] {
  return readRows(database, plan, plan.lead, window, { content, max: window.max });
}

/** Whether the next step scans a range of ids, even an empty one, so that it pays to skip to the next message first. */
function scansIds({ search, hasFilters }: SearchPlan, order: Order, previous: Step | undefined): boolean {
  if (search === undefined || hasFilters) return hasFilters;
  const isEverywhere = previous === undefined && order === "asc" && search.isOneWord;
  return !isEverywhere && previous?.stage !== "near";
}

/** Shortens a range to start at its next candidate; undefined if there is none. */
function skipToNext(database: Database, lead: Lead, range: IdRange, order: Order): IdRange | undefined {
  const next = firstId(database, lead, { range, order, max: 1 });
  if (next === undefined) return undefined;
  return order === "asc" ? { ...range, from: next } : { ...range, below: next + 1 };
}
