import type { Database } from "../../storage/database.js";
import type { NarrowTerm } from "../narrow/parse-narrow.js";
import { type MessageRow, type Reader, readMessages } from "../narrow/read-messages.js";
import { newestAnchor, oldestAnchor, type PageRequest } from "./page-request.js";

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

/** Finds the messages of a page (Get messages). */
export async function fetchPage(
  database: Database,
  user: Reader,
  terms: readonly NarrowTerm[],
  request: PageRequest,
  content: "raw" | "rendered",
): Promise<Page> {
  const search = { user, terms, content };
  if (request.kind === "ids") {
    const rows = await readMessages(database, { ...search, ids: request.ids, max: request.ids.length });
    return { rows, anchor: undefined, foundNewest: false, foundOldest: false, foundAnchor: false };
  }
  const anchor = await resolveAnchor(database, search, request.anchor);
  // One more than requested shows whether there are more.
  const before =
    request.anchor === "oldest"
      ? []
      : await readMessages(database, { ...search, below: anchor, order: "desc", max: request.before + 1 });
  const from =
    request.anchor === "newest"
      ? []
      : await readMessages(database, { ...search, from: anchor, max: request.after + 2 });
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

/** The id of the anchor. */
async function resolveAnchor(
  database: Database,
  search: Pick<Parameters<typeof readMessages>[1], "user" | "terms" | "content">,
  anchor: Extract<PageRequest, { kind: "range" }>["anchor"],
): Promise<number> {
  switch (anchor) {
    case "newest":
      return newestAnchor;
    case "oldest":
      return oldestAnchor;
    case "first_unread": {
      const [oldest] = await readMessages(database, { ...search, unread: true, max: 1 });
      if (oldest !== undefined) return oldest.id;
      const [newest] = await readMessages(database, { ...search, order: "desc", max: 1 });
      return newest?.id ?? newestAnchor;
    }
    default:
      return anchor;
  }
}
