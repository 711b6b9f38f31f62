import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesMessages,
  changesParameters,
  changesSuccess,
  ignores,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  withParameters,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

const count = (parameters: URLSearchParams, name: string) => Number(parameters.get(name) ?? 0);

/** Wrong responses of `GET /messages`. */
export const readingFaults: readonly Fault[] = ofFamily("reading messages", [
  [
    "newest-first",
    "lists the newest message first",
    changesSuccess(["getMessages"], (body) => {
      body.messages = listOf(body.messages).reverse();
    }),
    ["messages.get.ascending"],
    ["workflow reading-order"],
  ],
  [
    "found-newest-always",
    "always reports that the list contains the newest message",
    changesSuccess(["getMessages"], (body) => {
      body.found_newest = true;
    }),
    ["messages.get.found-newest-false"],
    ["case getMessages/around_a_message"],
  ],
  [
    "found-anchor-always",
    "always reports that the list contains the anchor",
    changesSuccess(["getMessages"], (body) => {
      body.found_anchor = true;
    }),
    ["messages.get.found-anchor-false"],
    ["case getMessages/without_the_anchor_message"],
  ],
  [
    "anchor-omitted",
    "omits `anchor`",
    changesSuccess(["getMessages"], (body) => {
      delete body.anchor;
    }),
    ["messages.get.answered-anchor", "messages.get.computed-anchor"],
    ["messages.get.answered-anchor"],
  ],
  [
    "anchor-with-ids",
    "returns an anchor for a request by ids",
    changesSuccess(["getMessages"], (body) => {
      body.anchor ??= listOf(body.messages)[0]?.id ?? 0;
    }),
    ["messages.get.no-anchor-with-message-ids"],
  ],
  [
    "anchor-off-by-one",
    "begins one message after the anchor",
    changesParameters(["getMessages"], (parameters) => {
      const anchor = parameters.get("anchor") ?? "";
      if (/^\d+$/.test(anchor)) parameters.set("anchor", String(Number(anchor) + 1));
    }),
    ["messages.get.anchor-id"],
    ["case getMessages/around_a_message"],
  ],
  [
    "one-message-too-few",
    "returns one message too few after the anchor",
    changesParameters(["getMessages"], (parameters) => {
      if (count(parameters, "num_after") > 0) parameters.set("num_after", String(count(parameters, "num_after") - 1));
    }),
    ["messages.get.num-after"],
    ["case getMessages/around_a_message", "workflow reading-range"],
  ],
  [
    "before-and-after-swapped",
    "swaps the messages before and after the anchor",
    changesParameters(["getMessages"], (parameters) => {
      const [before, after] = [parameters.get("num_before"), parameters.get("num_after")];
      if (before === null || after === null) return;
      parameters.set("num_before", after);
      parameters.set("num_after", before);
    }),
    ["messages.get.num-before", "messages.get.num-after"],
    ["workflow reading-range"],
  ],
  [
    "first-unread-is-newest",
    "takes the newest message for the first unread one",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.get("anchor") === "first_unread") parameters.set("anchor", "newest");
    }),
    ["messages.get.anchor-first-unread"],
    ["case getMessages/first_unread"],
  ],
  [
    "first-unread-is-oldest-without-unread",
    "takes the oldest message for the first unread one if all are read",
    always(["getMessages"], async (request, forward) => {
      if (parametersOf(request).get("anchor") !== "first_unread") return forward(request);
      const at = (anchor: string, before: string) =>
        forward(
          withParameters(request, (parameters) => {
            parameters.set("anchor", anchor);
            parameters.set("num_before", before);
          }),
        );
      const answer = await forward(request);
      const newest = listOf(jsonOf(await at("newest", "1"))?.messages).at(-1);
      return jsonOf(answer)?.anchor === newest?.id ? at("oldest", "0") : answer;
    }),
    ["messages.get.anchor-first-unread-none"],
    ["case getMessages/first_unread_of_none"],
  ],
  [
    "anchor-message-omitted-by-default",
    "omits the anchor message by default",
    changesParameters(["getMessages"], (parameters) => {
      if (!parameters.has("include_anchor") && !parameters.has("message_ids"))
        parameters.set("include_anchor", "false");
    }),
    ["messages.get.include-anchor-default"],
    ["case getMessages/around_a_message"],
  ],
  [
    "narrow-ignored",
    "ignores `narrow`",
    ignores("getMessages", "narrow"),
    ["messages.get.narrow"],
    ["case getMessages/narrow_as_objects"],
  ],
  [
    "narrow-of-arrays-ignored",
    "skips conditions of a narrow that are arrays",
    changesParameters(["getMessages"], (parameters) => {
      const narrow = parseJson(parameters.get("narrow") ?? "");
      if (Array.isArray(narrow))
        parameters.set("narrow", JSON.stringify(narrow.filter((term) => !Array.isArray(term))));
    }),
    ["messages.get.narrow-array"],
    ["case getMessages/narrow_as_arrays"],
  ],
  [
    "public-channels-by-default",
    "searches all public channels without a narrow",
    changesParameters(["getMessages"], (parameters) => {
      if (!parameters.has("narrow")) parameters.set("narrow", '[{"operator":"channels","operand":"public"}]');
    }),
    ["messages.get.personal-history-only"],
    ["case getMessages/other_channel_without_narrow"],
  ],
  [
    "ids-with-anchor-accepted",
    "accepts `anchor` together with `message_ids`",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.has("message_ids")) parameters.delete("anchor");
    }),
    ["messages.get.message-ids-with-anchor"],
    ["case getMessages/ids_with_anchor"],
  ],
  [
    "num-before-defaulted",
    "reads a missing `num_before` as 0",
    changesParameters(["getMessages"], (parameters) => {
      if (!parameters.has("num_before") && !parameters.has("message_ids")) parameters.set("num_before", "0");
    }),
    ["messages.get.num-before-required"],
    ["case getMessages/no_num_before"],
  ],
  [
    "more-than-5000-accepted",
    "returns fewer messages instead of rejecting a request for more than 5000",
    changesParameters(["getMessages"], (parameters) => {
      const after = count(parameters, "num_after");
      if (count(parameters, "num_before") + after > 5000) {
        parameters.set("num_before", String(Math.max(0, 4999 - after)));
        parameters.set("num_after", String(Math.min(4999, after)));
      }
    }),
    ["messages.get.more-than-5000"],
    ["case getMessages/more_than_five_thousand"],
  ],
  [
    "5000-refused",
    "rejects a request for 5000 messages",
    refuses("getMessages", (parameters) => count(parameters, "num_before") + count(parameters, "num_after") >= 4999),
    ["messages.get.at-most-5000"],
    ["case getMessages/five_thousand"],
  ],
  [
    "gravatar-always-null",
    "returns no URL of a gravatar, whatever `client_gravatar` says",
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
    ["workflow edit-history-of-content"],
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
    "history-always-limited",
    "always reports a limited history",
    changesSuccess(["getMessages"], (body) => {
      body.history_limited = true;
    }),
    ["messages.get.history-limited-oldest"],
    ["workflow reading-newest-and-oldest"],
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
