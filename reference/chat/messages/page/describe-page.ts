import type { components } from "../../../../generated/chat/types.js";
import { badRequest } from "../../refusals.js";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { historySizes, readEditHistories } from "./edit-histories.js";
import { type PageSearch, readAgain } from "./fetch-page.js";
import { slices } from "./json-rows.js";
import { type MessageRow, readLongContents } from "./message-row.js";
import {
  readChannelNames,
  readConversationMembers,
  readReactions,
  type VisibleUser,
  visibleUsers,
} from "./related-rows.js";

/** Estimated bytes of a message in the response besides content and edit history. */
const messageBytes = 2048;

/**
 * Describes the messages of a page as the caller sees them (Get messages, message object fields), and yields between slices.
 * Reads messages again that change meanwhile. Throws a refusal if they are too large in total.
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
    return historySizes(database, ids, maxResponseBytes);
  };
  const version = database.version();
  const sizes = sizesOf(rows);
  checkResponseSize([...rows.map(({ contentBytes }) => contentBytes), ...sizes.values()]);
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

const mebibyte = 1024 * 1024;

/** Maximum bytes of content and edit history in a response: 32 MiB. */
const maxResponseBytes = 32 * mebibyte;

/** Throws a refusal if the contents and edit histories of a page are too large in total. */
function checkResponseSize(sizes: readonly number[]): void {
  if (sizes.reduce((sum, size) => sum + size, 0) > maxResponseBytes) {
    throw badRequest(
      `The content and edit history of these messages exceed ${maxResponseBytes / mebibyte} MiB; request fewer messages`,
    );
  }
}

type Message = components["schemas"]["Message"];

/** How to describe messages. */
interface MessageFormat {
  readonly content: "raw" | "rendered";
  readonly clientGravatar: boolean;
  readonly allowEmptyTopicName: boolean;
}

/** Describes messages as the caller sees them. Includes the edit histories of the messages in `historyBytes`. */
function describeMessages(
  database: Database,
  caller: Caller,
  rows: readonly MessageRow[],
  historyBytes: ReadonlyMap<number, number>,
  { content: form, clientGravatar, allowEmptyTopicName }: MessageFormat,
): Message[] {
  if (rows.length === 0) return [];
  const { realm } = caller;
  const displayTopic = (topic: string) =>
    topic === "" && !allowEmptyTopicName ? realm.empty_topic_display_name : topic;
  const ids = rows.map(({ id }) => id);
  const members = readConversationMembers(database, present(rows.map(({ conversationId }) => conversationId)));
  const channels = readChannelNames(database, present(rows.map(({ channelId }) => channelId)));
  const userIds = new Set([...rows.map(({ senderId }) => senderId), ...[...members.values()].flat()]);
  const users = visibleUsers(database, caller, userIds, clientGravatar);
  const reactions = readReactions(database, ids);
  const histories = readEditHistories(database, historyBytes, displayTopic);
  const long = readLongContents(database, rows, form);
  const content_type = form === "raw" ? "text/x-markdown" : "text/html";

  return rows.map((row) => {
    const { id, senderId, channelId, conversationId } = row;
    const sender = known(users, senderId);
    const topic = channelId === null ? "" : displayTopic(row.topic);
    const history = histories.get(id);
    return {
      id,
      type: channelId === null ? "private" : "stream",
      sender_id: senderId,
      sender_full_name: sender.fullName,
      sender_email: sender.email,
      avatar_url: sender.avatarUrl,
      client: row.client,
      content: row.content ?? known(long, id),
      content_type,
      display_recipient:
        channelId === null
          ? known(members, conversationId).map((userId) => recipient(known(users, userId)))
          : known(channels, channelId),
      ...(channelId === null ? {} : { stream_id: channelId }),
      subject: topic,
      topic,
      timestamp: row.sentAt,
      flags: flagsOf(row),
      is_me_message: row.isMeMessage === 1,
      reactions: reactions.get(id) ?? [],
      ...(history === undefined ? {} : { edit_history: history }),
      ...(row.editedAt === null ? {} : { last_edit_timestamp: row.editedAt }),
      ...(row.movedAt === null ? {} : { last_moved_timestamp: row.movedAt }),
    };
  });
}

/** The contract leaves the fields of a recipient open; the generated type has none. */
function recipient({ id, email, fullName }: VisibleUser): components["schemas"]["Recipient"] {
  return { id, email, full_name: fullName } as object as components["schemas"]["Recipient"];
}

/** Messages that a user did not receive count as read. */
function flagsOf({ isRead, isMentioned }: MessageRow): string[] {
  if (isRead === null) return ["read", "historical"];
  return [...(isRead === 1 ? ["read"] : []), ...(isMentioned === 1 ? ["mentioned"] : [])];
}

function present(ids: readonly (number | null)[]): Set<number> {
  return new Set(ids.filter((id) => id !== null));
}

/** Looks up a row that a foreign key guarantees. */
function known<Value>(values: ReadonlyMap<number, Value>, id: number | null): Value {
  const value = id === null ? undefined : values.get(id);
  if (value === undefined) throw new Error(`no row has the id ${id}`);
  return value;
}
