import { ofFamily } from "../../fault.js";
import { all, from, has, matches } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { isJson, jsonOf, listIn, listOf, parametersOf, withJson } from "../messages.js";
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
  fault("edit-without-change-accepted", "accepts edits that change nothing")
    .breaks("messages.edit.nothing-to-change")
    .forgives("editMessage", "Nothing to change", { detached_uploads: [] }),
  fault("spaces-around-topic-refused", "refuses topics with white space around them")
    .breaks("messages.edit.topic-form")
    .refuses("editMessage", (parameters) => parameters.get("topic") !== (parameters.get("topic")?.trim() ?? null)),
  fault("digest-in-upper-case-refused", "refuses digests in upper case")
    .breaks("messages.edit.digest-form")
    .refuses("editMessage", matches("prev_content_sha256", /[A-F]/)),
  fault("administrators-edit-content", "lets administrators edit the content of other users")
    .breaks("messages.edit.sender-only")
    .retriesAs("editMessage", "member", all(from("administrator"), has("content"))),
  fault("administrators-move-without-group", "lets administrators move messages regardless of their groups")
    .breaks("messages.edit.groups-not-roles")
    .actsAs("editMessage", "owner", all(from("administrator"), has("topic"))),
  fault("owners-not-exempt", "also applies the time limits of moves to owners")
    .breaks("messages.edit.owners-exempt")
    .refuses("editMessage", from("owner")),
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
  fault("both-limits-for-both-moves", "applies the time limit of topics to moves to another channel and topic")
    .breaks("messages.edit.both-moves")
    .refuses("editMessage", all(has("topic"), has("stream_id"))),
  fault("late-move-counts-only-target", "counts only the target in the error of a late move of one message")
    .breaks("messages.edit.limit-any-mode")
    .changes("editMessage", "total_messages_in_topic", (total, _, { parameters }) =>
      parameters.get("propagate_mode") === "change_one" ? 1 : total,
    ),
  fault("zero-instead-of-null", "returns 0 instead of null if no message may be moved")
    .breaks("messages.edit.limit-first-null")
    .changes("editMessage", "first_message_id_allowed_to_move", (first) => first ?? 0),
  fault("typing-in-any-message", "accepts a typing status for messages of other users")
    .breaks("messages.typing.own-message")
    .forgives("setEditTypingStatus", ""),
  fault("range-of-5000-refused", "refuses a range of 5000 messages")
    .breaks("messages.get.at-most-5000")
    .checkedBy("case getMessages/five_thousand_both_ways")
    .refuses(
      "getMessages",
      (parameters) => Number(parameters.get("num_before")) + Number(parameters.get("num_after")) >= 5000,
    ),
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
  fault("dm-of-nobody-refused", "refuses the operator `dm` with an empty list")
    .breaks("messages.get.empty-dm")
    .refuses("getMessages", (parameters) =>
      listOf(listIn(parameters, "narrow")).some(({ operand }) => Array.isArray(operand) && operand.length === 0),
    ),
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
  fault("channel-ids-refused-in-narrow", "accepts channels only by name in a narrow")
    .breaks("messages.get.narrow-operands")
    .refuses("getMessages", (parameters) =>
      listIn(parameters, "narrow").some(
        (one) => Array.isArray(one) && one[0] === "channel" && /^\d+$/.test(`${one[1]}`),
      ),
    ),
  fault("moderators-may-not-unresolve", "does not allow moderators to unresolve topics")
    .breaks("messages.edit.unresolve-permission")
    .refuses("editMessage", from("moderator")),
]);
