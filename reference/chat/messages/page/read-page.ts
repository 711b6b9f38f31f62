import { badRequest } from "../../refusals.js";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { type MessageRow, messageBytes, readMessages } from "../message-rows.js";
import type { MessageSearch } from "../narrow/find-messages.js";
import { describeMessage, type Message, type MessageFormat } from "./describe-message.js";
import { fetchPage, type Page } from "./fetch-page.js";
import type { PageRequest } from "./page-request.js";

const mebibyte = 1024 * 1024;
/** Maximum bytes of content and edit history in a response. */
export const maxResponseBytes = 32 * mebibyte;
/** Bytes of the messages that are read and described at once. */
const sliceBytes = mebibyte;

/**
 * Reads the messages of a page and describes them as the caller sees them. Throws a refusal if they are too large in total.
 */
export async function readPage(
  database: Database,
  caller: Caller,
  { search, request, format }: { search: MessageSearch; request: PageRequest; format: MessageFormat },
): Promise<Page & { readonly messages: Message[] }> {
  const texts = { content: format.content, withEdits: caller.realm.edit_history_visible };
  const page = await fetchPage(database, search, request, (search, ranges) =>
    readMessages(database, caller, { search, ranges, texts: { ...texts, maxBytes: sliceBytes } }),
  );
  if (page.found.reduce((sum, { bytes }) => sum + bytes, 0) > maxResponseBytes) {
    throw badRequest(
      `The content and edit history of these messages exceed ${maxResponseBytes / mebibyte} MiB; request fewer messages`,
    );
  }
  const messages: Message[] = [];
  for (const slice of page.found[0]?.fits ? [page.found] : slices(page.found)) {
    const rows = slice[0]?.fits
      ? slice
      : await readMessages(database, caller, {
          search: { ...search, ids: slice.map(({ id }) => id) },
          ranges: [{ max: slice.length }],
          texts: { ...texts, maxBytes: Number.MAX_SAFE_INTEGER },
        });
    for (const row of rows) messages.push(describeMessage(row, caller, format));
  }
  return { ...page, messages };
}

/** Divides messages into slices of about `sliceBytes`, so that other requests are served in between. */
function* slices(found: readonly MessageRow[]): Generator<MessageRow[]> {
  let slice: MessageRow[] = [];
  let bytes = 0;
  for (const message of found) {
    bytes += messageBytes + message.bytes;
    slice.push(message);
    if (bytes < sliceBytes) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}
