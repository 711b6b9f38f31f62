import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import type { Order } from "../narrow/candidates.js";
import type { NarrowTerm } from "../narrow/parse-narrow.js";
import { planSearch, type SearchPlan } from "../narrow/plan-search.js";
import type { IdRange } from "../search-index.js";
import type { MessageRow } from "./message-row.js";
import { newestAnchor, oldestAnchor, type PageRequest } from "./page-request.js";
import { readAtOnce, readMessages, type TimeSlice, type WorkBudget } from "./read-messages.js";

/** The messages of a page, and the fields of the response about the page. */
export interface Page {
  /** Ordered by id. */
  readonly rows: readonly MessageRow[];
  /** Undefined if the request lists ids. */
  readonly anchor: number | undefined;
  readonly foundNewest: boolean;
  readonly foundOldest: boolean;
  readonly foundAnchor: boolean;
}

/** A search, and the form of the content. */
export interface PageSearch {
  readonly caller: Caller;
  readonly terms: readonly NarrowTerm[];
  readonly content: "raw" | "rendered";
}

/** The range of all message ids. */
const anywhere: IdRange = { from: 0, below: Number.MAX_SAFE_INTEGER };

/** Finds the messages of a page (Get messages). Yields when its time slice is used up. */
export function* fetchPage(
  database: Database,
  search: PageSearch,
  request: PageRequest,
  budget: WorkBudget,
): Generator<void, Page> {
  const { caller, terms, content } = search;
  const timeSlice: TimeSlice = { budget, spent: 0 };
  const version = database.version();
  if (request.kind === "ids") {
    const plan = planSearch(caller.user, terms, { ids: request.ids });
    const wanted = { range: anywhere, order: "asc", max: request.ids.length, content } as const;
    const rows = yield* readMessages(database, plan, wanted, timeSlice);
    const current = version === database.version() ? rows : readAgain(database, search, rows);
    return { rows: current, anchor: undefined, foundNewest: false, foundOldest: false, foundAnchor: false };
  }
  const plan = planSearch(caller.user, terms);
  const anchor = yield* resolveAnchor(database, search, plan, request.anchor, timeSlice);
  const read = (range: IdRange, order: Order, max: number) =>
    readMessages(database, plan, { range, order, max, content }, timeSlice);
  // One more than requested shows whether there are more.
  let before =
    request.anchor === "oldest" ? [] : yield* read({ ...anywhere, below: anchor }, "desc", request.before + 1);
  let from = request.anchor === "newest" ? [] : yield* read({ ...anywhere, from: anchor }, "asc", request.after + 2);
  if (version !== database.version()) {
    before = readAgain(database, search, before);
    from = readAgain(database, search, from);
  }
  return toPage(request, anchor, before, from);
}

function toPage(
  request: Extract<PageRequest, { kind: "range" }>,
  anchor: number,
  before: readonly MessageRow[],
  from: readonly MessageRow[],
): Page {
  const atAnchor = from.filter(({ id }) => id === anchor);
  const after = from.filter(({ id }) => id !== anchor);
  const rows = [
    ...before.slice(0, request.before).reverse(),
    ...(request.includeAnchor ? atAnchor : []),
    ...after.slice(0, request.after),
  ];
  const left = [
    ...before.slice(request.before),
    ...(request.includeAnchor ? [] : atAnchor),
    ...after.slice(request.after),
  ];
  const oldest = rows[0]?.id ?? Number.NaN;
  const newest = rows.at(-1)?.id ?? Number.NaN;
  return {
    rows,
    anchor,
    foundNewest: left.every(({ id }) => id < newest),
    foundOldest: left.every(({ id }) => id > oldest),
    foundAnchor: request.includeAnchor && atAnchor.length > 0,
  };
}

/** Reads rows again that were found in an earlier time slice, without those that the caller may no longer read. */
export function readAgain(
  database: Database,
  { caller, content }: PageSearch,
  rows: readonly MessageRow[],
): MessageRow[] {
  const ids = rows.map(({ id }) => id);
  const plan = planSearch(caller.user, [], { ids });
  const current = readAtOnce(database, plan, { range: anywhere, order: "asc", max: ids.length, content });
  const byId = new Map(current.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
}

/** The id of the anchor. */
function* resolveAnchor(
  database: Database,
  { caller, terms, content }: PageSearch,
  plan: SearchPlan,
  anchor: Extract<PageRequest, { kind: "range" }>["anchor"],
  timeSlice: TimeSlice,
): Generator<void, number> {
  switch (anchor) {
    case "newest":
      return newestAnchor;
    case "oldest":
      return oldestAnchor;
    case "first_unread": {
      const unread = planSearch(caller.user, terms, { unread: true });
      const [oldest] = yield* readMessages(
        database,
        unread,
        { range: anywhere, order: "asc", max: 1, content },
        timeSlice,
      );
      if (oldest !== undefined) return oldest.id;
      const [newest] = yield* readMessages(
        database,
        plan,
        { range: anywhere, order: "desc", max: 1, content },
        timeSlice,
      );
      return newest?.id ?? newestAnchor;
    }
    default:
      return anchor;
  }
}
