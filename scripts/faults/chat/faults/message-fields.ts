import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { listOf } from "../messages.js";

/** Wrong fields of the messages that `GET /messages` returns. */
export const messageFieldFaults: readonly ChatFault[] = ofFamily("reading messages", [
  fault("emoji-code-in-upper-case", "writes the code points of an emoji as `U+1F389`")
    .breaks("messages.get.unicode-emoji")
    .changes("getMessages", "messages[].reactions[].emoji_code", (code, { reaction_type: type }) =>
      type === "unicode_emoji" ? `U+${code}`.toUpperCase() : code,
    ),
  fault("no-edit-history", "omits `edit_history` of every message")
    .breaks("messages.get.edit-history")
    .checkedBy("workflow edit-history")
    .omits("getMessages", "messages[].edit_history"),
  fault("no-last-edit-timestamp", "omits `last_edit_timestamp` of every message")
    .breaks("messages.get.last-edit-timestamp")
    .checkedBy("workflow edit-history")
    .omits("getMessages", "messages[].last_edit_timestamp"),
  fault("no-last-moved-timestamp", "omits `last_moved_timestamp` of every message")
    .breaks("messages.get.last-moved-timestamp")
    .checkedBy("workflow edit-history")
    .omits("getMessages", "messages[].last_moved_timestamp"),
  fault("edit-history-oldest-first", "lists the oldest edit first")
    .breaks("messages.get.edit-history-newest-first")
    .checkedBy("workflow edit-history-of-content")
    .changes("getMessages", "messages[].edit_history", (history) => listOf(history).reverse()),
  fault("resolution-counts-as-move", "returns `last_moved_timestamp` for messages of a resolved topic")
    .breaks("messages.get.last-moved-timestamp-resolved")
    .changesMessages((message) => {
      const [edit] = listOf(message.edit_history);
      if (edit?.topic !== undefined) message.last_moved_timestamp ??= edit.timestamp;
    }),
  fault("editor-is-sender", "names the sender of a message as its editor")
    .breaks("messages.get.edit-history-editor")
    .changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.user_id = message.sender_id;
    }),
  fault("reactor-is-sender", "names the sender of a message as the one who reacted")
    .breaks("messages.get.reactions")
    .checkedBy("workflow reading-reactions")
    .changesMessages((message) => {
      for (const reaction of listOf(message.reactions)) reaction.user_id = message.sender_id;
    }),
  fault("earlier-content-not-rendered", "returns the earlier content as Markdown instead of rendering it")
    .breaks("messages.get.edit-history-rendered")
    .changes("getMessages", "messages[].edit_history[].prev_rendered_content", (_, entry) => entry.prev_content),
  fault("edit-time-is-send-time", "returns the time of sending as the time of the last edit")
    .breaks("messages.get.edit-times")
    .changes("getMessages", "messages[].last_edit_timestamp", (_, message) => message.timestamp),
  fault("move-time-is-send-time", "returns the time of sending as the time of the last move")
    .breaks("messages.get.move-times")
    .checkedBy("workflow edit-history-times")
    .changes("getMessages", "messages[].last_moved_timestamp", (_, message) => message.timestamp),
  fault("history-time-is-send-time", "returns the time of sending in every entry of the edit history")
    .breaks("messages.get.edit-times")
    .changesMessages((message) => {
      for (const entry of listOf(message.edit_history)) entry.timestamp = message.timestamp;
    }),
  fault("edit-times-in-milliseconds", "returns the time of the last edit in milliseconds")
    .breaks("messages.get.last-edit-seconds")
    .changes("getMessages", "messages[].last_edit_timestamp", (time) => Number(time) * 1000),
  fault("move-times-in-milliseconds", "returns the time of the last move in milliseconds")
    .breaks("messages.get.last-moved-seconds")
    .changes("getMessages", "messages[].last_moved_timestamp", (time) => Number(time) * 1000),
  fault("history-times-in-milliseconds", "returns the times of the edit history in milliseconds")
    .breaks("messages.get.edit-history-seconds")
    .changes("getMessages", "messages[].edit_history[].timestamp", (time) => Number(time) * 1000),
]);
