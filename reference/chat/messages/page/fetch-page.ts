import type { Database } from "../../storage/database.js";
import type { MessageRow } from "../message-rows.js";
import { findMessages, type MessageSearch, type Range } from "../narrow/find-messages.js";
import { newestAnchor, oldestAnchor, type PageRequest } from "./page-request.js";

/** The messages of a page, and the fields of the response about the page. */
export interface Page {
  /** Ordered by id. */
  readonly found: readonly MessageRow[];
  /** Undefined if the request lists ids. */
  readonly anchor: number | undefined;
  readonly foundNewest: boolean;
  readonly foundOldest: boolean;
  readonly foundAnchor: boolean;
}

/** Reads the messages that match a search in some ranges, ordered by id. */
type Read = (search: MessageSearch, ranges: readonly Range[]) => Promise<readonly MessageRow[]>;

/** Reads the messages of a page (Get messages). */
export async function fetchPage(
  database: Database,
  search: MessageSearch,
  request: PageRequest,
  read: Read,
): Promise<Page> {
  if (request.kind === "ids") {
    const found = await read({ ...search, ids: request.ids }, [{ max: request.ids.length }]);
    return { found, anchor: undefined, foundNewest: false, foundOldest: false, foundAnchor: false };
  }
  const anchor = await resolveAnchor(database, search, request.anchor);
  // One more than requested shows whether there are more.
  const before: Range = { below: anchor, order: "desc", max: request.before + 1 };
  const from: Range = { from: anchor, max: request.after + 2 };
  const ranges = request.anchor === "oldest" ? [from] : request.anchor === "newest" ? [before] : [before, from];
  return toPage(request, anchor, await read(search, ranges));
}

function toPage(request: Extract<PageRequest, { kind: "range" }>, anchor: number, found: readonly MessageRow[]): Page {
  const before = found.filter(({ id }) => id < anchor);
  const atAnchor = found.filter(({ id }) => id === anchor);
  const after = found.filter(({ id }) => id > anchor);
  const first = Math.max(before.length - request.before, 0);
  const page = [...before.slice(first), ...(request.includeAnchor ? atAnchor : []), ...after.slice(0, request.after)];
  const left = [...before.slice(0, first), ...(request.includeAnchor ? [] : atAnchor), ...after.slice(request.after)];
  // A range without messages reaches an end if nothing matches beyond the anchor.
  const oldest = page[0]?.id ?? anchor;
  const newest = page.at(-1)?.id ?? anchor;
  return {
    found: page,
    anchor,
    foundNewest: left.every(({ id }) => id <= newest),
    foundOldest: left.every(({ id }) => id >= oldest),
    foundAnchor: request.includeAnchor && atAnchor.length > 0,
  };
}

/** The id of the anchor. */
async function resolveAnchor(
  database: Database,
  search: MessageSearch,
  anchor: Extract<PageRequest, { kind: "range" }>["anchor"],
): Promise<number> {
  switch (anchor) {
    case "newest":
      return newestAnchor;
    case "oldest":
      return oldestAnchor;
    case "first_unread": {
      const [oldest] = await findMessages(database, { ...search, unread: true }, [{ max: 1 }]);
      if (oldest !== undefined) return oldest.id;
      const [newest] = await findMessages(database, search, [{ order: "desc", max: 1 }]);
      return newest?.id ?? newestAnchor;
    }
    default:
      return anchor;
  }
}
