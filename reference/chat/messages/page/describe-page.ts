import type { components } from "../../../../generated/chat/types.js";
import { badRequest } from "../../refusals.js";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { contentColumns, type MessageRow } from "../narrow/read-messages.js";
import { historyBytes, readEditHistories } from "./edit-histories.js";
import {
  readChannelNames,
  readConversationMembers,
  readReactions,
  type VisibleUser,
  visibleUsers,
} from "./related-rows.js";

type Message = components["schemas"]["Message"];

/** How to describe messages. */
export interface MessageFormat {
  readonly content: "raw" | "rendered";
  readonly clientGravatar: boolean;
  readonly allowEmptyTopicName: boolean;
}

const mebibyte = 1024 * 1024;
/** Maximum bytes of content and edit history in a response. */
const maxResponseBytes = 32 * mebibyte;
/** Bytes of the messages that are read and described at once. */
const sliceBytes = mebibyte;
/** Estimated bytes of a message besides its content. */
const messageBytes = 2048;

/**
 * Describes the messages of a page as the caller sees them (Get messages, message object fields). Throws a refusal if they are
 * too large in total.
 */
export async function describePage(
  database: Database,
  caller: Caller,
  rows: readonly MessageRow[],
  format: MessageFormat,
): Promise<Message[]> {
  if (rows.length === 0) return [];
  const { realm } = caller;
  const withHistory = realm.edit_history_visible;
  const ids = rows.map(({ id }) => id);
  const contents = rows.reduce((sum, row) => sum + row.content_bytes, 0);
  const histories = withHistory ? await historyBytes(database, realm.id, ids, maxResponseBytes) : 0;
  if (contents + histories > maxResponseBytes) {
    throw badRequest(
      `The content and edit history of these messages exceed ${maxResponseBytes / mebibyte} MiB; request fewer messages`,
    );
  }
  const messages: Message[] = [];
  for (const slice of slices(rows, messageBytes + histories / rows.length)) {
    messages.push(...(await describeMessages(database, caller, slice, format, histories > 0)));
  }
  return messages;
}

/** Divides rows into slices of about `sliceBytes`, so that other requests are served in between. */
function* slices(rows: readonly MessageRow[], bytesBesides: number): Generator<MessageRow[]> {
  let slice: MessageRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += bytesBesides + row.content_bytes;
    slice.push(row);
    if (bytes < sliceBytes) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}

async function describeMessages(
  database: Database,
  caller: Caller,
  rows: readonly MessageRow[],
  { content: form, clientGravatar, allowEmptyTopicName }: MessageFormat,
  withHistory: boolean,
): Promise<Message[]> {
  const { realm } = caller;
  const displayTopic = (topic: string) =>
    topic === "" && !allowEmptyTopicName ? realm.empty_topic_display_name : topic;
  const ids = rows.map(({ id }) => id);
  const contents = await readContents(database, realm.id, ids, form);
  const members = await readConversationMembers(database, realm.id, present(rows.map((row) => row.conversation_id)));
  const channels = await readChannelNames(database, realm.id, present(rows.map((row) => row.channel_id)));
  const userIds = new Set([...rows.map((row) => row.sender_id), ...[...members.values()].flat()]);
  const users = await visibleUsers(database, caller, userIds, clientGravatar);
  const reactions = await readReactions(database, realm.id, ids);
  const histories = withHistory ? await readEditHistories(database, realm.id, ids, displayTopic) : new Map();
  const content_type = form === "raw" ? "text/x-markdown" : "text/html";

  return rows.map((row) => {
    const { id, channel_id: channelId } = row;
    const sender = known(users, row.sender_id);
    const topic = channelId === null ? "" : displayTopic(row.topic);
    const history = histories.get(id);
    return {
      id,
      type: channelId === null ? "private" : "stream",
      sender_id: row.sender_id,
      sender_full_name: sender.fullName,
      sender_email: sender.email,
      avatar_url: sender.avatarUrl,
      client: row.client,
      content: known(contents, id),
      content_type,
      display_recipient:
        channelId === null
          ? known(members, row.conversation_id).map((userId) => recipient(known(users, userId)))
          : known(channels, channelId),
      ...(channelId === null ? {} : { stream_id: channelId }),
      subject: topic,
      topic,
      timestamp: row.sent_at,
      flags: flagsOf(row),
      is_me_message: row.is_me_message,
      reactions: reactions.get(id) ?? [],
      ...(history === undefined ? {} : { edit_history: history }),
      ...(row.edited_at === null ? {} : { last_edit_timestamp: row.edited_at }),
      ...(row.moved_at === null ? {} : { last_moved_timestamp: row.moved_at }),
    };
  });
}

async function readContents(
  database: Database,
  realmId: number,
  ids: readonly number[],
  form: MessageFormat["content"],
): Promise<Map<number, string>> {
  const messages = await database
    .selectFrom("message")
    .select(["id", `${contentColumns[form]} as content`])
    .where("realm_id", "=", realmId)
    .where("id", "in", ids)
    .execute();
  return new Map(messages.map(({ id, content }) => [id, content]));
}

/** The contract leaves the fields of a recipient open; the generated type has none. */
function recipient({ id, email, fullName }: VisibleUser): components["schemas"]["Recipient"] {
  return { id, email, full_name: fullName } as object as components["schemas"]["Recipient"];
}

/** Messages that a user did not receive count as read. */
function flagsOf({ is_read, is_mentioned }: MessageRow): string[] {
  if (is_read === null) return ["read", "historical"];
  return [...(is_read ? ["read"] : []), ...(is_mentioned ? ["mentioned"] : [])];
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
