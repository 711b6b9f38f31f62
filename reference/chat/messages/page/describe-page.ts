import type { components } from "../../../../generated/chat/types.js";
import type { Database } from "../../storage/database.js";
import { checkAnswerSize, mostAnswerBytes } from "./check-answer-size.js";
import { describeMessages, type MessageFormat } from "./describe-messages.js";
import { type PageSearch, readAgain } from "./fetch-page.js";
import { historySizes } from "./history-sizes.js";
import type { MessageRow } from "./message-row.js";
import { slices } from "./slices.js";

/** What a message has in the answer besides content and edit history, in bytes. */
const messageBytes = 2048;

/**
 * Describes the messages of a page as the caller sees them (Get messages, message object fields), and yields where others may have a
 * turn. Messages that others change meanwhile are described as they are then. Throws a refusal when they are too long together.
 */
export function* describePage(
  database: Database,
  search: PageSearch,
  rows: readonly MessageRow[],
  format: MessageFormat,
): Generator<void, components["schemas"]["Message"][]> {
  const sizesOf = (some: readonly MessageRow[]): ReadonlyMap<number, number> => {
    if (some.length === 0 || !search.caller.realm.edit_history_visible) return new Map();
    const ids = some.map(({ id }) => id);
    return historySizes(database, ids, mostAnswerBytes);
  };
  const version = database.version();
  const sizes = sizesOf(rows);
  checkAnswerSize([...rows.map(({ contentBytes }) => contentBytes), ...sizes.values()]);
  const messages: components["schemas"]["Message"][] = [];
  const weighed = rows.map((row) => [row, messageBytes + row.contentBytes + (sizes.get(row.id) ?? 0)] as const);
  for (const slice of slices(weighed)) {
    if (messages.length > 0) yield;
    const isCurrent = version === database.version();
    const current = isCurrent ? slice : readAgain(database, search, slice);
    const histories = isCurrent ? sizesWithin(sizes, slice) : sizesOf(current);
    for (const message of describeMessages(database, search.caller, current, histories, format)) messages.push(message);
  }
  return messages;
}

function sizesWithin(sizes: ReadonlyMap<number, number>, rows: readonly MessageRow[]): Map<number, number> {
  return new Map(rows.flatMap(({ id }) => (sizes.has(id) ? [[id, sizes.get(id) ?? 0] as const] : [])));
}
