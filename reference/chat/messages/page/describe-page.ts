import { badRequest } from "../../refusals.js";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { historyBytes, readMessageRows } from "../message-rows.js";
import type { FoundMessage } from "../narrow/find-messages.js";
import { describeMessage, type Message, type MessageFormat } from "./describe-message.js";

const mebibyte = 1024 * 1024;
/** Maximum bytes of content and edit history in a response. */
const maxResponseBytes = 32 * mebibyte;
/** Bytes of the messages that are read and described at once. */
const sliceBytes = mebibyte;
/** Estimated bytes of a message besides its content and edit history. */
const messageBytes = 2048;

/**
 * Describes the messages of a page as the caller sees them, in the order of their ids. Throws a refusal if they are too large in
 * total.
 */
export async function describePage(
  database: Database,
  caller: Caller,
  found: readonly FoundMessage[],
  format: MessageFormat,
): Promise<Message[]> {
  if (found.length === 0) return [];
  const { realm } = caller;
  const ids = found.map(({ id }) => id);
  const contents = found.reduce((sum, message) => sum + message.content_bytes, 0);
  const histories = realm.edit_history_visible ? await historyBytes(database, realm.id, ids, maxResponseBytes) : 0;
  if (contents + histories > maxResponseBytes) {
    throw badRequest(
      `The content and edit history of these messages exceed ${maxResponseBytes / mebibyte} MiB; request fewer messages`,
    );
  }
  const messages: Message[] = [];
  for (const slice of slices(found, messageBytes + histories / found.length)) {
    const withMembers = slice.some(({ conversation_id }) => conversation_id !== null);
    const columns = { content: format.content, withMembers, withEdits: histories > 0 };
    const ids = slice.map(({ id }) => id);
    const rows = new Map((await readMessageRows(database, caller, ids, columns)).map((row) => [row.id, row]));
    for (const message of slice) {
      const row = rows.get(message.id);
      if (row !== undefined) messages.push(describeMessage(row, message, caller, format));
    }
  }
  return messages;
}

/** Divides messages into slices of about `sliceBytes`, so that other requests are served in between. */
function* slices(found: readonly FoundMessage[], bytesBesides: number): Generator<FoundMessage[]> {
  let slice: FoundMessage[] = [];
  let bytes = 0;
  for (const message of found) {
    bytes += bytesBesides + message.content_bytes;
    slice.push(message);
    if (bytes < sliceBytes) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}
