import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesError,
  changesMessages,
  changesParameters,
  changesSuccess,
  isJson,
  type Json,
  jsonOf,
  listOf,
  parametersOf,
  withJson,
  withParameters,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { fetchMessages } from "../requests.js";
import { headerOf } from "../wire.js";

const beforeAnchor = (body: Json) => listOf(body.messages).filter(({ id }) => Number(id) < Number(body.anchor));

/** Lists, ranges and numbers that are right in simple cases. */
export const rangeAndListFaults: readonly Fault[] = ofFamily("ranges and lists", [
  [
    "anchor-counted-before",
    "counts the anchor message among those before it",
    changesSuccess(["getMessages"], (body, { request }) => {
      const max = Number(parametersOf(request).get("num_before"));
      if (body.found_anchor !== true || max === 0 || beforeAnchor(body).length < max) return;
      body.messages = listOf(body.messages).slice(1);
      body.found_oldest = false;
      delete body.history_limited;
    }),
    ["messages.get.num-before"],
    ["case getMessages/around_a_message"],
  ],
  [
    "oldest-not-found-at-exact-end",
    "says that the oldest message was not found when a range ends exactly there",
    changesSuccess(["getMessages"], (body, { request }) => {
      const max = parametersOf(request).get("num_before");
      if (max === null || beforeAnchor(body).length < Number(max)) return;
      body.found_oldest = false;
      delete body.history_limited;
    }),
    ["messages.get.found-oldest"],
    ["workflow reading-newest-and-oldest"],
  ],
  [
    "newest-judged-without-narrow",
    "says that the newest message was not found when a newer one is outside the narrow",
    always(["getMessages"], async (request, forward) => {
      const answer = await forward(request);
      const body = jsonOf(answer);
      const isNarrowed = (parametersOf(request).get("narrow") ?? "[]") !== "[]";
      if (body?.found_newest !== true || !isNarrowed) return answer;
      const [newest] = await fetchMessages(request, forward, { anchor: "newest", num_before: "1" });
      const last = listOf(body.messages).at(-1);
      const isNewest = newest === undefined || (last !== undefined && Number(last.id) >= Number(newest.id));
      return isNewest ? answer : withJson(answer, { ...body, found_newest: false });
    }),
    ["messages.get.found-newest"],
    ["workflow reading-newest-and-oldest"],
  ],
  [
    "first-unread-without-narrow",
    "starts at the first unread message, whether or not the narrow matches it",
    always(["getMessages"], async (request, forward) => {
      const parameters = parametersOf(request);
      if (parameters.get("anchor") !== "first_unread" || !parameters.has("narrow")) return forward(request);
      const [first] = await fetchMessages(request, forward, { anchor: "first_unread" });
      return forward(
        withParameters(request, (changed) => {
          if (first !== undefined) changed.set("anchor", String(first.id));
        }),
      );
    }),
    ["messages.get.anchor-first-unread-narrow"],
    ["case getMessages/first_unread_in_narrow"],
  ],
  [
    "ids-in-request-order",
    "lists messages in the order of `message_ids`",
    changesSuccess(["getMessages"], (body, { request }) => {
      const ids = parseJson(parametersOf(request).get("message_ids") ?? "");
      if (!Array.isArray(ids)) return;
      body.messages = listOf(body.messages).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    }),
    ["messages.get.sorted-by-id"],
    ["workflow reading-order"],
  ],
  [
    "ids-not-narrowed",
    "ignores `narrow` together with `message_ids`",
    changesParameters(["getMessages"], (parameters) => {
      if (parameters.has("message_ids")) parameters.delete("narrow");
    }),
    ["messages.get.message-ids-narrow"],
    ["workflow reading-by-id"],
  ],
  [
    "limit-of-5000-each-way",
    "allows 5000 messages before the anchor and another 5000 after it",
    changesParameters(["getMessages"], (parameters) => {
      const [before, after] = [Number(parameters.get("num_before")), Number(parameters.get("num_after"))];
      const isEachWithin = before <= 5000 && after <= 5000;
      if (!isEachWithin || before + after <= 5000) return;
      parameters.set("num_after", String(5000 - before));
    }),
    ["messages.get.sum-of-numbers"],
    ["case getMessages/more_than_five_thousand_both_ways"],
  ],
  [
    "only-first-condition",
    "applies only the first condition of a narrow",
    changesConditions((conditions) => (conditions.length > 1 ? conditions.slice(0, 1) : undefined)),
    ["messages.get.narrow-all-conditions"],
    ["workflow reading-narrow-conditions"],
  ],
  [
    "negation-ignored",
    "ignores `negated` in a narrow",
    changesConditions((conditions) =>
      conditions.some((condition) => isJson(condition) && condition.negated === true)
        ? conditions.map((condition) => (isJson(condition) ? { ...condition, negated: false } : condition))
        : undefined,
    ),
    ["messages.get.narrow-negated"],
    ["workflow reading-narrow-conditions"],
  ],
  [
    "fetching-marks-read",
    "marks messages as read when they are fetched",
    {
      on: ["getMessages"],
      start: () => {
        const fetched = new Set<string>();
        return async (request, forward) => {
          const user = headerOf(request, "Authorization");
          const isRead = ({ id }: Json) => fetched.has(`${user} ${id}`);
          const answer = await forward(await fromFirstUnread());
          const body = jsonOf(answer);
          if (answer.status !== 200 || body === undefined) return answer;
          const messages = listOf(body.messages);
          const changed = messages.map((message) =>
            isRead(message) ? { ...message, flags: [...new Set([message.flags, "read"].flat())] } : message,
          );
          for (const { id } of messages) fetched.add(`${user} ${id}`);
          return withJson(answer, { ...body, messages: changed });

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
        };
      },
    },
    ["messages.get.reading-leaves-unread"],
    ["workflow reading-first-unread"],
  ],
  [
    "allowed-total-off-by-one",
    "counts one message too many among those that may be moved",
    changesError(["editMessage"], (body) => {
      const { total_messages_allowed_to_move: allowed } = body;
      if (typeof allowed === "number") body.total_messages_allowed_to_move = allowed + 1;
    }),
    ["messages.edit.limit-allowed"],
    ["messages.edit.limit-allowed"],
  ],
  [
    "history-of-last-edit-only",
    "lists only the last edit in `edit_history`",
    changesMessages((message) => {
      if (Array.isArray(message.edit_history)) message.edit_history = message.edit_history.slice(0, 1);
    }),
    ["messages.get.edit-history-newest-first"],
    ["workflow edit-history-of-content"],
  ],
  [
    "only-first-detached-upload",
    "lists only one of several uploads that an edit detaches",
    changesSuccess(["editMessage"], (body) => {
      body.detached_uploads = listOf(body.detached_uploads).slice(0, 1);
    }),
    ["messages.edit.detached-uploads"],
    ["workflow editing-two-last-references"],
  ],
  [
    "ids-with-zero-counts-accepted",
    "accepts ids together with a `num_before` or `num_after` of 0",
    changesParameters(["getMessages"], (parameters) => {
      if (!parameters.has("message_ids")) return;
      for (const name of ["num_before", "num_after"]) if (parameters.get(name) === "0") parameters.delete(name);
    }),
    ["messages.get.message-ids-with-num-before", "messages.get.message-ids-with-num-after"],
    ["case getMessages/ids_with_num_before_of_zero", "case getMessages/ids_with_num_after_of_zero"],
  ],
  [
    "ids-with-false-flags-accepted",
    "accepts ids together with an `include_anchor` or `use_first_unread_anchor` of false",
    changesParameters(["getMessages"], (parameters) => {
      if (!parameters.has("message_ids")) return;
      for (const name of ["include_anchor", "use_first_unread_anchor"])
        if (parameters.get(name) === "false") parameters.delete(name);
    }),
    ["messages.get.message-ids-with-include-anchor", "messages.get.message-ids-with-use-first-unread-anchor"],
    ["case getMessages/ids_with_include_anchor_false", "case getMessages/ids_with_use_first_unread_anchor_false"],
  ],
  [
    "overlong-topic-unmuted",
    "unmutes a topic that is too long",
    changesParameters(["updateMutedTopic"], (parameters) => {
      if (parameters.get("op") === "remove") parameters.set("topic", parameters.get("topic")?.slice(0, 60) ?? "");
    }),
    ["topics.mute.topic-length"],
    ["case updateMutedTopic/topic_too_long_remove"],
  ],
]);

/** Changes the conditions of a narrow, unless the change is undefined. */
function changesConditions(change: (conditions: readonly unknown[]) => readonly unknown[] | undefined) {
  return changesParameters(["getMessages"], (parameters) => {
    const conditions = parseJson(parameters.get("narrow") ?? "");
    const changed = Array.isArray(conditions) ? change(conditions) : undefined;
    if (changed !== undefined) parameters.set("narrow", JSON.stringify(changed));
  });
}
