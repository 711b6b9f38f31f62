import type { Database } from "../../storage/database.js";
import type { Lead, Order } from "../narrow/candidates.js";
import { mostSearched, type SearchPlan } from "../narrow/plan-search.js";
import type { IdRange } from "../search-index.js";
import type { MessageRow } from "./message-row.js";
import { firstId, readIndex, readRows, readSearch, type Step, type Wanted } from "./steps.js";

/** How much is looked at before others have a turn. */
export interface TurnSize {
  /** Rows of an index; fewer when a narrow says much about each. A page whose rows all match is read in one turn in any case. */
  readonly candidates: number;
  /** The widest range of ids that a search looks through at a time. */
  readonly ids: number;
}

/** Takes a few milliseconds. */
export const usualTurn: TurnSize = { candidates: 3000, ids: 131_072 };

/** What the present turn has cost so far; 1 is enough. */
export interface Turn {
  readonly size: TurnSize;
  spent: number;
}

const fewestCandidates = 16;

/** How many candidates may be looked at in a turn, when looking at one costs so much (see `SearchPlan`). */
function candidatesPerTurn({ size }: Turn, weight: number): number {
  return Math.min(size.candidates, Math.max(fewestCandidates, Math.floor(size.candidates / (1 + weight / 4))));
}

/** What a step costs that finds nothing to look at. */
const stepCost = 1 / 16;

/**
 * Reads the messages that a plan finds, in steps of which each looks at a bounded number of rows. Yields between two steps when the
 * turn is used up.
 */
export function* readMessages(
  database: Database,
  plan: SearchPlan,
  wanted: Wanted,
  turn: Turn,
): Generator<void, MessageRow[]> {
  const rows: MessageRow[] = [];
  const perTurn = candidatesPerTurn(turn, plan.weight);
  let previous: Step | undefined;
  let range: IdRange | undefined = wanted.range;
  while (rows.length < wanted.most) {
    range = looksThrough(plan, wanted.order, previous) ? untilNext(database, plan.lead, range, wanted.order) : range;
    if (range === undefined || range.from >= range.below) return rows;
    if (turn.spent >= 1) {
      yield;
      turn.spent = 0;
    }
    const most = wanted.most - rows.length;
    const start = { ...wanted, range, most, limit: perTurn + wanted.most, ids: turn.size.ids, previous };
    const step: Step =
      plan.search === undefined ? readIndex(database, plan, start) : readSearch(database, plan, plan.search, start);
    rows.push(...step.rows);
    turn.spent += stepCost + step.candidates / perTurn + step.searched / mostSearched;
    range = wanted.order === "asc" ? { ...range, from: step.done.below } : { ...range, below: step.done.from };
    previous = step;
  }
  return rows;
}

/** Reads the messages that a plan finds without text to search, in one step that looks at as many rows as are wanted. */
export function readAtOnce(
  database: Database,
  plan: SearchPlan,
  { content, ...window }: Wanted,
): readonly MessageRow[] {
  return readRows(database, plan, plan.lead, window, { content, most: window.most });
}

/** Whether the next step looks through a range of ids, whatever there is in it, so that it pays to know where there are messages. */
function looksThrough({ search, hasFilters }: SearchPlan, order: Order, previous: Step | undefined): boolean {
  if (search === undefined || hasFilters) return hasFilters;
  const isEverywhere = previous === undefined && order === "asc" && search.isOneWord;
  return !isEverywhere && previous?.stage !== "near";
}

/** What is left of a range from the next candidate on. */
function untilNext(database: Database, lead: Lead, range: IdRange, order: Order): IdRange | undefined {
  const next = firstId(database, lead, { range, order, most: 1 });
  if (next === undefined) return undefined;
  return order === "asc" ? { ...range, from: next } : { ...range, below: next + 1 };
}
