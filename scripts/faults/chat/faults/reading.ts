import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
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

/** Wrong selections of messages by `GET /messages`. */
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
    "history-always-limited",
    "always reports a limited history",
    changesSuccess(["getMessages"], (body) => {
      body.history_limited = true;
    }),
    ["messages.get.history-limited-oldest"],
    ["workflow reading-newest-and-oldest"],
  ],
]);
