import { ofFamily } from "../../fault.js";
import { has, lacks } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { jsonOf, listOf, parametersOf, withParameters } from "../messages.js";

const count = (parameters: URLSearchParams, name: string) => Number(parameters.get(name) ?? 0);

/** Wrong selections of messages by `GET /messages`. */
export const readingFaults: readonly ChatFault[] = ofFamily("reading messages", [
  fault("newest-first", "lists the newest message first")
    .breaks("messages.get.ascending")
    .checkedBy("workflow reading-order")
    .changes("getMessages", "messages", (messages) => listOf(messages).reverse()),
  fault("anchor-omitted", "omits `anchor`")
    .breaks("messages.get.answered-anchor", "messages.get.computed-anchor")
    .checkedBy("messages.get.answered-anchor")
    .omits("getMessages", "anchor"),
  fault("anchor-with-ids", "returns an anchor for a request by ids")
    .breaks("messages.get.no-anchor-with-message-ids")
    .changesSuccess("getMessages", (body) => {
      body.anchor ??= listOf(body.messages)[0]?.id ?? 0;
    }),
  fault("anchor-off-by-one", "begins one message after the anchor")
    .breaks("messages.get.anchor-id")
    .checkedBy("case getMessages/around_a_message")
    .reads("getMessages", "anchor", (anchor) => (/^\d+$/.test(anchor) ? String(Number(anchor) + 1) : anchor)),
  fault("one-message-too-few", "returns one message too few after the anchor")
    .breaks("messages.get.num-after")
    .checkedBy("case getMessages/around_a_message", "workflow reading-range")
    .reads("getMessages", "num_after", (count) => (Number(count) > 0 ? String(Number(count) - 1) : count)),
  fault("before-and-after-swapped", "swaps the messages before and after the anchor")
    .breaks("messages.get.num-before", "messages.get.num-after")
    .checkedBy("workflow reading-range")
    .changesParameters("getMessages", (parameters) => {
      const [before, after] = [parameters.get("num_before"), parameters.get("num_after")];
      if (before === null || after === null) return;
      parameters.set("num_before", after);
      parameters.set("num_after", before);
    }),
  fault("first-unread-is-newest", "takes the newest message for the first unread one")
    .breaks("messages.get.anchor-first-unread")
    .checkedBy("case getMessages/first_unread")
    .reads("getMessages", "anchor", (anchor) => (anchor === "first_unread" ? "newest" : anchor)),
  fault("first-unread-is-oldest-without-unread", "takes the oldest message for the first unread one if all are read")
    .breaks("messages.get.anchor-first-unread-none")
    .checkedBy("case getMessages/first_unread_of_none")
    .always("getMessages", async (request, forward) => {
      if (parametersOf(request).get("anchor") !== "first_unread") return forward(request);
      const at = (anchor: string, before: string) =>
        withParameters(request, (parameters) => {
          parameters.set("anchor", anchor);
          parameters.set("num_before", before);
        });
      const response = await forward(request);
      const newest = listOf(jsonOf(await forward(at("newest", "1")))?.messages).at(-1);
      return jsonOf(response)?.anchor === newest?.id ? forward(at("oldest", "0")) : response;
    }),
  fault("anchor-message-omitted-by-default", "omits the anchor message by default")
    .breaks("messages.get.include-anchor-default")
    .checkedBy("case getMessages/around_a_message")
    .assumes("getMessages", "include_anchor", "false", lacks("message_ids")),
  fault("narrow-of-arrays-ignored", "skips conditions of a narrow that are arrays")
    .breaks("messages.get.narrow-array")
    .readsList("getMessages", "narrow", (terms) => terms.filter((term) => !Array.isArray(term))),
  fault("public-channels-by-default", "searches all public channels without a narrow")
    .breaks("messages.get.personal-history-only")
    .checkedBy("case getMessages/other_channel_without_narrow")
    .assumes("getMessages", "narrow", '[{"operator":"channels","operand":"public"}]'),
  fault("ids-with-anchor-accepted", "accepts `anchor` together with `message_ids`")
    .breaks("messages.get.message-ids-with-anchor")
    .ignores("getMessages", "anchor", has("message_ids")),
  fault("num-before-defaulted", "reads a missing `num_before` as 0")
    .breaks("messages.get.num-before-required")
    .assumes("getMessages", "num_before", "0", lacks("message_ids")),
  fault("more-than-5000-accepted", "returns fewer messages instead of rejecting a request for more than 5000")
    .breaks("messages.get.more-than-5000")
    .checkedBy("case getMessages/more_than_five_thousand")
    .changesParameters("getMessages", (parameters) => {
      const after = count(parameters, "num_after");
      if (count(parameters, "num_before") + after > 5000) {
        parameters.set("num_before", String(Math.max(0, 4999 - after)));
        parameters.set("num_after", String(Math.min(4999, after)));
      }
    }),
  fault("history-always-limited", "always reports a limited history")
    .breaks("messages.get.history-limited-oldest")
    .checkedBy("workflow reading-newest-and-oldest")
    .returns("getMessages", "history_limited", true),
]);
