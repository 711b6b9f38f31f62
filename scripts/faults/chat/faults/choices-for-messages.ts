import { ofFamily } from "../../fault.js";
import { all, from, has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { isJson, jsonOf, listOf, parametersOf, withJson } from "../messages.js";
import { asUser } from "../requests.js";

/** Choices about messages other than those that the contract recommends. */
export const messageChoiceFaults: readonly ChatFault[] = ofFamily("other choices about messages", [
  fault("move-refused-but-first-message-moved", "refuses to move messages, and moves the first one")
    .breaks("errors.changes-nothing")
    .checkedBy("case editMessage/topic_move_not_permitted")
    .doesAnyway("editMessage", ({ request, known }) => [asUser(request, known.colleagueOf(request, "moderator"))]),
  fault("own-code-for-refused-edits", "refuses edits with a code of its own")
    .breaks("messages.edit.bad-request")
    .changes("editMessage", "code", (code) => (code === "BAD_REQUEST" ? "EDIT_REFUSED" : code)),
  fault("administrators-edit-content", "lets administrators edit the content of other users")
    .breaks("messages.edit.sender-only")
    .retriesAs("editMessage", "member", all(from("administrator"), has("content"))),
  fault("administrators-move-without-group", "lets administrators move messages regardless of their groups")
    .breaks("messages.edit.groups-not-roles")
    .actsAs("editMessage", "owner", all(from("administrator"), has("topic"))),
  fault("silent-wildcard-restricted", "restricts silent wildcard mentions as well")
    .breaks("messages.edit.wildcard-syntax")
    .reads("editMessage", "content", (content) => content.replace("@_**", "@**")),
  fault("moved-message-not-received", "shows a moved message only to those who had received it before")
    .breaks("messages.edit.moved-recipients")
    .always("getMessages", async (request, forward, known) => {
      const response = await forward(request);
      const body = jsonOf(response);
      const isPersonal = !parametersOf(request).has("narrow") && known.callerOf(request)?.caller !== "member";
      if (response.status !== 200 || body === undefined || !isPersonal) return response;
      const messages = listOf(body.messages).filter(
        ({ edit_history }) => !listOf(edit_history).some((entry) => "stream" in entry),
      );
      return withJson(response, { ...body, messages, found_anchor: body.found_anchor && messages.length > 0 });
    }),
  fault("late-move-counts-only-target", "counts only the target in the error of a late move of one message")
    .breaks("messages.edit.limit-any-mode")
    .changes("editMessage", "total_messages_in_topic", (total, _, { parameters }) =>
      parameters.get("propagate_mode") === "change_one" ? 1 : total,
    ),
  fault("zero-instead-of-null", "returns 0 instead of null if no message may be moved")
    .breaks("messages.edit.limit-first-null")
    .changes("editMessage", "first_message_id_allowed_to_move", (first) => first ?? 0),
  fault("nothing-around-absent-anchor", "finds no messages around an anchor that is outside the narrow")
    .breaks("messages.get.anchor-between")
    .changes("getMessages", "messages", (messages, { found_anchor: found }, { parameters }) =>
      found === false && Number(parameters.get("anchor")) > 0 ? [] : messages,
    ),
  fault("empty-range-finds-no-end", "returns false as `found_newest` and `found_oldest` with a range without messages")
    .breaks("messages.get.empty-range")
    .changesSuccess("getMessages", (body) => {
      if (listOf(body.messages).length > 0) return;
      body.found_newest = false;
      body.found_oldest = false;
    }),
  fault("history-limited-omitted", "omits `history_limited` if the history is complete")
    .breaks("messages.get.history-limited-false")
    .omits("getMessages", "history_limited"),
  fault("negative-counts-read-as-zero", "treats negative numbers of messages as 0")
    .breaks("messages.get.bad-request")
    .reads("getMessages", ["num_before", "num_after"], (count) => (Number(count) < 0 ? "0" : count)),
  fault("unknown-conditions-ignored", "ignores conditions with an unknown operator")
    .breaks("messages.get.unknown-narrow")
    .readsList("getMessages", "narrow", (terms) => terms.filter((one) => !isJson(one) || one.operator !== "weather")),
  fault("subject-omitted", "omits `subject` from messages")
    .breaks("messages.get.message-fields")
    .changesMessages((message) => {
      message.topic = message.subject;
      delete message.subject;
    }),
  fault("sender-omitted-from-recipients", "omits the sender from the recipients of a direct message")
    .breaks("messages.get.recipient-fields")
    .changes("getMessages", "messages[].display_recipient", (to, { sender_id: sender }) =>
      Array.isArray(to) ? listOf(to).filter(({ id }) => id !== sender) : to,
    ),
  fault("search-ignored", "ignores the operator `search`")
    .breaks("messages.get.search")
    .readsList("getMessages", "narrow", (terms) => terms.filter((one) => !isJson(one) || one.operator !== "search")),
  fault("raw-html-rendered", "passes raw HTML through unescaped")
    .breaks("messages.get.rendered-safely")
    .changes("getMessages", "messages[].content", (content) =>
      String(content).replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    ),
]);
