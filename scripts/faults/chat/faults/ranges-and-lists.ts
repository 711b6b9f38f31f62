import { parseJson } from "../../../../src/base/parse-json.js";
import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { isJson, type Json, jsonOf, listIn, listOf, parametersOf, withJson, withParameters } from "../messages.js";
import { fetchMessages } from "../requests.js";
import { headerOf } from "../wire.js";

const beforeAnchor = (body: Json) => listOf(body.messages).filter(({ id }) => Number(id) < Number(body.anchor));

/** Lists, ranges and numbers that are right in simple cases. */
export const rangeAndListFaults: readonly ChatFault[] = ofFamily("ranges and lists", [
  fault("anchor-counted-before", "counts the anchor message among those before it")
    .breaks("messages.get.num-before")
    .checkedBy("case getMessages/around_a_message")
    .changesSuccess("getMessages", (body, { request }) => {
      const max = Number(parametersOf(request).get("num_before"));
      if (body.found_anchor !== true || max === 0 || beforeAnchor(body).length < max) return;
      body.messages = listOf(body.messages).slice(1);
      body.found_oldest = false;
      delete body.history_limited;
    }),
  fault("oldest-not-found-at-exact-end", "says that the oldest message was not found when a range ends exactly there")
    .breaks("messages.get.found-oldest")
    .checkedBy("workflow reading-newest-and-oldest")
    .changesSuccess("getMessages", (body, { request }) => {
      const max = parametersOf(request).get("num_before");
      if (max === null || beforeAnchor(body).length < Number(max)) return;
      body.found_oldest = false;
      delete body.history_limited;
    }),
  fault(
    "newest-judged-without-narrow",
    "says that the newest message was not found when a newer one is outside the narrow",
  )
    .breaks("messages.get.found-newest")
    .checkedBy("workflow reading-newest-and-oldest")
    .always("getMessages", async (request, forward) => {
      const response = await forward(request);
      const body = jsonOf(response);
      const isNarrowed = listIn(parametersOf(request), "narrow").length > 0;
      if (body?.found_newest !== true || !isNarrowed) return response;
      const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1" });
      const last = listOf(body.messages).at(-1);
      const isNewest = newest === undefined || Number(last?.id) >= Number(newest.id);
      return isNewest ? response : withJson(response, { ...body, found_newest: false });
    }),
  fault("first-unread-without-narrow", "starts at the first unread message, whether or not the narrow matches it")
    .breaks("messages.get.anchor-first-unread-narrow")
    .checkedBy("case getMessages/first_unread_in_narrow")
    .always("getMessages", async (request, forward) => {
      const parameters = parametersOf(request);
      if (parameters.get("anchor") !== "first_unread" || !parameters.has("narrow")) return forward(request);
      const [first] = await fetchMessages(request, forward, { anchor: "first_unread" });
      return forward(withParameters(request, (changed) => first && changed.set("anchor", String(first.id))));
    }),
  fault("ids-in-request-order", "lists messages in the order of `message_ids`")
    .breaks("messages.get.sorted-by-id")
    .changes("getMessages", "messages", (messages, _, { parameters }) => {
      const ids = listIn(parameters, "message_ids");
      return listOf(messages).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    }),
  fault("ids-not-narrowed", "ignores `narrow` together with `message_ids`")
    .breaks("messages.get.message-ids-narrow")
    .checkedBy("workflow reading-by-id")
    .ignores("getMessages", "narrow", has("message_ids")),
  fault("limit-of-5000-each-way", "allows 5000 messages before the anchor and another 5000 after it")
    .breaks("messages.get.sum-of-numbers")
    .reads("getMessages", "num_after", (text, parameters) => {
      const [before, after] = [Number(parameters.get("num_before")), Number(text)];
      return before <= 5000 && after <= 5000 && before + after > 5000 ? String(5000 - before) : text;
    }),
  fault("only-first-condition", "applies only the first condition of a narrow")
    .breaks("messages.get.narrow-all-conditions")
    .readsList("getMessages", "narrow", (terms) => terms.slice(0, 1)),
  fault("negation-ignored", "ignores `negated` in a narrow")
    .breaks("messages.get.narrow-negated")
    .readsList("getMessages", "narrow", (terms) =>
      terms.map((term) => (isJson(term) && term.negated === true ? { ...term, negated: false } : term)),
    ),
  fault("fetching-marks-read", "marks messages as read when they are fetched")
    .breaks("messages.get.reading-leaves-unread")
    .by(
      remembers(
        "getMessages",
        () => new Set<string>(),
        async (request, forward, fetched) => {
          const user = headerOf(request, "Authorization");
          const isRead = ({ id }: Json) => fetched.has(`${user} ${id}`);
          const response = await forward(await fromFirstUnread());
          const body = jsonOf(response);
          if (response.status !== 200 || body === undefined) return response;
          const messages = listOf(body.messages);
          const changed = messages.map((message) =>
            isRead(message) ? { ...message, flags: [...new Set([message.flags, "read"].flat())] } : message,
          );
          for (const { id } of messages) fetched.add(`${user} ${id}`);
          return withJson(response, { ...body, messages: changed });

          async function fromFirstUnread() {
            const parameters = parametersOf(request);
            if (parameters.get("anchor") !== "first_unread") return request;
            const narrow = parameters.get("narrow") ?? "[]";
            const conditions = [parseJson(narrow) ?? [], { operator: "is", operand: "unread" }].flat();
            const range = { anchor: "oldest", num_after: "1000", narrow: JSON.stringify(conditions) };
            const unread = await fetchMessages(request, forward, range);
            if (!unread.some(isRead)) return request;
            const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1", narrow });
            const { id } = unread.find((message) => !isRead(message)) ?? newest ?? {};
            return withParameters(request, (changed) => changed.set("anchor", String(id)));
          }
        },
      ),
    ),
  fault("allowed-total-off-by-one", "counts one message too many among those that may be moved")
    .breaks("messages.edit.limit-allowed")
    .changes("editMessage", "total_messages_allowed_to_move", (allowed) => Number(allowed) + 1),
  fault("history-of-last-edit-only", "lists only the last edit in `edit_history`")
    .breaks("messages.get.edit-history-newest-first")
    .checkedBy("workflow edit-history-of-content")
    .changes("getMessages", "messages[].edit_history", (history) => listOf(history).slice(0, 1)),
  fault("only-first-detached-upload", "lists only one of several uploads that an edit detaches")
    .breaks("messages.edit.detached-uploads")
    .checkedBy("workflow editing-two-last-references")
    .changes("editMessage", "detached_uploads", (uploads) => listOf(uploads).slice(0, 1)),
  fault("ids-with-zero-counts-accepted", "accepts ids together with a `num_before` or `num_after` of 0")
    .breaks("messages.get.message-ids-with-num-before", "messages.get.message-ids-with-num-after")
    .checkedBy("case getMessages/ids_with_num_before_of_zero", "case getMessages/ids_with_num_after_of_zero")
    .changesParameters("getMessages", (parameters) => {
      if (!parameters.has("message_ids")) return;
      for (const name of ["num_before", "num_after"]) if (parameters.get(name) === "0") parameters.delete(name);
    }),
  fault(
    "ids-with-false-flags-accepted",
    "accepts ids together with an `include_anchor` or `use_first_unread_anchor` of false",
  )
    .breaks("messages.get.message-ids-with-include-anchor", "messages.get.message-ids-with-use-first-unread-anchor")
    .checkedBy(
      "case getMessages/ids_with_include_anchor_false",
      "case getMessages/ids_with_use_first_unread_anchor_false",
    )
    .changesParameters("getMessages", (parameters) => {
      if (!parameters.has("message_ids")) return;
      for (const name of ["include_anchor", "use_first_unread_anchor"])
        if (parameters.get(name) === "false") parameters.delete(name);
    }),
  fault("overlong-topic-unmuted", "unmutes a topic that is too long")
    .breaks("topics.mute.topic-length")
    .checkedBy("case updateMutedTopic/topic_too_long_remove")
    .reads("updateMutedTopic", "topic", (topic, parameters) =>
      parameters.get("op") === "remove" ? topic.slice(0, 60) : topic,
    ),
]);
