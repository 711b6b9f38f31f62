import { changesMessages, ignores, listOf } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Wrong fields of the messages that `GET /messages` returns. */
export const messageFieldFaults: readonly Fault[] = ofFamily("reading messages", [
  [
    "gravatar-always-null",
    "returns no gravatar URL, whatever `client_gravatar` says",
    ignores("getMessages", "client_gravatar"),
    ["messages.get.client-gravatar-false"],
    ["workflow reading-gravatar"],
  ],
  [
    "display-recipient-is-id",
    "returns a number instead of the channel's name in `display_recipient`",
    changesMessages((message) => {
      if (typeof message.display_recipient === "string") message.display_recipient = "7";
    }),
    ["messages.get.display-recipient-channel"],
    ["case getMessages/raw_markdown"],
  ],
  [
    "empty-topic-always-named",
    "always returns the display name of the empty topic",
    ignores("getMessages", "allow_empty_topic_name"),
    ["messages.get.empty-topic"],
    ["messages.get.empty-topic"],
  ],
  [
    "emoji-code-in-upper-case",
    "writes the code points of an emoji as `U+1F389`",
    changesMessages((message) => {
      for (const reaction of listOf(message.reactions)) {
        if (reaction.reaction_type === "unicode_emoji") reaction.emoji_code = `U+${reaction.emoji_code}`.toUpperCase();
      }
    }),
    ["messages.get.unicode-emoji"],
    ["workflow reading-reactions"],
  ],
  [
    "no-edit-history",
    "omits `edit_history` of every message",
    changesMessages((message) => {
      delete message.edit_history;
    }),
    ["messages.get.edit-history"],
    ["workflow edit-history"],
  ],
  [
    "no-last-edit-timestamp",
    "omits `last_edit_timestamp` of every message",
    changesMessages((message) => {
      delete message.last_edit_timestamp;
    }),
    ["messages.get.last-edit-timestamp"],
    ["workflow edit-history"],
  ],
  [
    "no-last-moved-timestamp",
    "omits `last_moved_timestamp` of every message",
    changesMessages((message) => {
      delete message.last_moved_timestamp;
    }),
    ["messages.get.last-moved-timestamp"],
    ["workflow edit-history"],
  ],
  [
    "edit-history-oldest-first",
    "lists the oldest edit first",
    changesMessages((message) => {
      if (Array.isArray(message.edit_history)) message.edit_history.reverse();
    }),
    ["messages.get.edit-history-newest-first"],
    ["workflow edit-history-of-content"],
  ],
  [
    "resolution-counts-as-move",
    "returns `last_moved_timestamp` for messages of a resolved topic",
    changesMessages((message) => {
      const [edit] = listOf(message.edit_history);
      if (edit?.topic !== undefined) message.last_moved_timestamp ??= edit.timestamp;
    }),
    ["messages.get.last-moved-timestamp-resolved"],
  ],
  [
    "editor-is-sender",
    "names the sender of a message as its editor",
    changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.user_id = message.sender_id;
    }),
    ["messages.get.edit-history-editor"],
    ["workflow edit-history-of-topic"],
  ],
  [
    "reactor-is-sender",
    "names the sender of a message as the one who reacted",
    changesMessages((message) => {
      for (const reaction of listOf(message.reactions)) reaction.user_id = message.sender_id;
    }),
    ["messages.get.reactions"],
    ["workflow reading-reactions"],
  ],
  [
    "earlier-content-not-rendered",
    "returns the earlier content as Markdown instead of rendering it",
    changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) {
        if (entry.prev_content !== undefined) entry.prev_rendered_content = entry.prev_content;
      }
    }),
    ["messages.get.edit-history-rendered"],
    ["workflow edit-history-of-content"],
  ],
  [
    "edit-time-is-send-time",
    "returns the time of sending as the time of the last edit",
    changesMessages((message) => {
      if (message.last_edit_timestamp !== undefined) message.last_edit_timestamp = message.timestamp;
    }),
    ["messages.get.edit-times"],
    ["workflow edit-history-times"],
  ],
  [
    "move-time-is-send-time",
    "returns the time of sending as the time of the last move",
    changesMessages((message) => {
      if (message.last_moved_timestamp !== undefined) message.last_moved_timestamp = message.timestamp;
    }),
    ["messages.get.move-times"],
    ["workflow edit-history-times"],
  ],
  [
    "history-time-is-send-time",
    "returns the time of sending in every entry of the edit history",
    changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.timestamp = message.timestamp;
    }),
    ["messages.get.edit-times"],
    ["workflow edit-history-times"],
  ],
  [
    "edit-times-in-milliseconds",
    "returns the time of the last edit in milliseconds",
    changesMessages((message) => {
      if (typeof message.last_edit_timestamp === "number") message.last_edit_timestamp *= 1000;
    }),
    ["messages.get.last-edit-seconds"],
    ["workflow edit-history-times"],
  ],
  [
    "move-times-in-milliseconds",
    "returns the time of the last move in milliseconds",
    changesMessages((message) => {
      if (typeof message.last_moved_timestamp === "number") message.last_moved_timestamp *= 1000;
    }),
    ["messages.get.last-moved-seconds"],
    ["workflow edit-history-times"],
  ],
  [
    "history-times-in-milliseconds",
    "returns the times of the edit history in milliseconds",
    changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.timestamp = Number(entry.timestamp) * 1000;
    }),
    ["messages.get.edit-history-seconds"],
    ["workflow edit-history-times"],
  ],
]);
