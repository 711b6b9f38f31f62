import { createHash } from "node:crypto";
import type { components } from "../../../../generated/chat/types.js";
import { visibleEmail } from "../../access/email-addresses.js";
import type { Caller } from "../../services.js";
import { avatarUrl } from "../../users/avatar.js";
import type { EditRow, Json, MemberRow, MessageRow, ReactionRow } from "../message-rows.js";

export type Message = components["schemas"]["Message"];

/** How to describe messages. */
export interface MessageFormat {
  readonly content: "raw" | "rendered";
  readonly clientGravatar: boolean;
  readonly allowEmptyTopicName: boolean;
}

/** Describes a message as the caller sees it (Get messages, message object fields). */
export function describeMessage(row: MessageRow, caller: Caller, format: MessageFormat): Message {
  const { realm } = caller;
  const displayTopic = (topic: string) =>
    topic === "" && !format.allowEmptyTopicName ? realm.empty_topic_display_name : topic;
  const isDirect = row.channel_id === null;
  const topic = isDirect ? "" : displayTopic(row.topic);
  const sender = describeUser(row, caller, {
    id: row.sender_id,
    email: row.sender_email,
    full_name: row.sender_name,
    hidden_id: row.sender_hidden_id,
  });
  const edits = parsed<EditRow>(row.edits).map((edit) => describeEdit(edit, displayTopic));
  const message = {
    id: row.id,
    type: isDirect ? "private" : "stream",
    sender_id: row.sender_id,
    sender_full_name: sender.full_name,
    sender_email: sender.email,
    avatar_url: avatarOf(row, sender.isRealEmail, format),
    client: row.client,
    content: row.content ?? "",
    content_type: format.content === "raw" ? "text/x-markdown" : "text/html",
    display_recipient: isDirect ? recipientsOf(row, caller) : (row.channel_name ?? ""),
    ...(row.channel_id === null ? {} : { stream_id: row.channel_id }),
    subject: topic,
    topic,
    timestamp: row.sent_at,
    flags: flagsOf(row),
    is_me_message: row.is_me_message,
    reactions: parsed<ReactionRow>(row.reactions) as Message["reactions"],
    ...(edits.length === 0 ? {} : { edit_history: edits }),
    ...(row.edited_at === null ? {} : { last_edit_timestamp: row.edited_at }),
    ...(row.moved_at === null ? {} : { last_moved_timestamp: row.moved_at }),
  } as const;
  return message;
}

/** Messages that a user did not receive count as read. */
function flagsOf({ is_read, is_mentioned }: MessageRow): string[] {
  if (is_read === null) return ["read", "historical"];
  return [...(is_read ? ["read"] : []), ...(is_mentioned ? ["mentioned"] : [])];
}

/** A user as the caller sees it. Hides the name and the address of an inaccessible user. */
function describeUser({ sees_real_emails }: MessageRow, { user: caller, realm }: Caller, user: MemberRow) {
  const { id, full_name, hidden_id } = user;
  const isRealEmail = id === caller.id || (Boolean(sees_real_emails) && hidden_id === null);
  return {
    id,
    email: visibleEmail(isRealEmail, user, realm),
    full_name: hidden_id === null ? full_name : "Unknown user",
    isRealEmail,
  };
}

/** The contract leaves the fields of a recipient open; the generated type has none. */
function recipientsOf(row: MessageRow, caller: Caller): components["schemas"]["Recipient"][] {
  return parsed<MemberRow>(row.members).map((member) => {
    const { id, email, full_name } = describeUser(row, caller, member);
    return { id, email, full_name } as object as components["schemas"]["Recipient"];
  });
}

/** With `clientGravatar`, null if the caller can compute the URL of the Gravatar. */
function avatarOf(row: MessageRow, isRealEmail: boolean, { clientGravatar }: MessageFormat): string | null {
  // A Gravatar hash would reveal a hidden address to anyone who guesses it.
  if (!row.sender_has_gravatar || !isRealEmail) return avatarUrl(row.sender_id);
  if (clientGravatar) return null;
  const hash = createHash("sha256").update(row.sender_email.trim().toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}

/** An entry of the edit history omits unchanged aspects (Resources, edit-history entry). */
function describeEdit(
  edit: EditRow,
  displayTopic: (topic: string) => string,
): components["schemas"]["EditHistoryEntry"] {
  const { prev_content, prev_rendered_content, prev_channel_id, prev_topic, channel_id, topic } = edit;
  return {
    user_id: edit.user_id,
    timestamp: edit.edited_at,
    ...(prev_content === null ? {} : { prev_content }),
    ...(prev_rendered_content === null ? {} : { prev_rendered_content }),
    ...(prev_channel_id === null ? {} : { prev_stream: prev_channel_id }),
    ...(channel_id === null ? {} : { stream: channel_id }),
    ...(prev_topic === null ? {} : { prev_topic: displayTopic(prev_topic) }),
    ...(topic === null ? {} : { topic: displayTopic(topic) }),
  };
}

function parsed<Row>(json: Json<readonly Row[]>): readonly Row[] {
  return (typeof json === "string" ? JSON.parse(json) : json) ?? [];
}
