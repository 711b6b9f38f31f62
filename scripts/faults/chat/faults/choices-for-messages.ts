import { parseJson } from "../../../../src/parse-json.js";
import {
  always,
  changesError,
  changesMessages,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  isJson,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  refusesCaller,
  withJson,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { asUser } from "../requests.js";

/** Choices about messages other than those that the contract recommends. */
export const messageChoiceFaults: readonly Fault[] = ofFamily("other choices about messages", [
  [
    "move-refused-but-first-message-moved",
    "refuses to move messages, and moves the first one",
    always(["editMessage"], async (request, forward, known) => {
      const answer = await forward(request);
      const { organization = "" } = known.callerOf(request) ?? {};
      const moderator = known.usersOf(organization).find(({ caller }) => caller === "moderator");
      if (answer.status === 400 && moderator !== undefined) await forward(asUser(request, moderator));
      return answer;
    }),
    ["errors.changes-nothing"],
    ["case editMessage/topic_move_not_permitted"],
  ],
  [
    "own-code-for-refused-edits",
    "refuses edits with a code of its own",
    changesError(["editMessage"], (body) => {
      if (body.code === "BAD_REQUEST") body.code = "EDIT_REFUSED";
    }),
    ["messages.edit.bad-request"],
    ["workflow editing-refusal-codes"],
  ],
  [
    "edit-without-change-accepted",
    "accepts edits that change nothing",
    forgives("editMessage", "Nothing to change"),
    ["messages.edit.nothing-to-change"],
    ["workflow editing-refusal-codes"],
  ],
  [
    "spaces-around-topic-refused",
    "refuses topics with white space around them",
    refuses("editMessage", (parameters) => parameters.get("topic") !== (parameters.get("topic")?.trim() ?? null)),
    ["messages.edit.topic-form"],
    ["workflow editing-text"],
  ],
  [
    "digest-in-upper-case-refused",
    "refuses digests in upper case",
    refuses("editMessage", (parameters) => /[A-F]/.test(parameters.get("prev_content_sha256") ?? "")),
    ["messages.edit.digest-form"],
    ["workflow editing-text"],
  ],
  [
    "administrators-edit-content",
    "lets administrators edit the content of other users",
    always(["editMessage"], async (request, forward, known) => {
      const answer = await forward(request);
      const { organization = "", caller } = known.callerOf(request) ?? {};
      const member = known.usersOf(organization).find((user) => user.caller === "member");
      const isContent = caller === "administrator" && parametersOf(request).has("content");
      return isContent && member !== undefined ? forward(asUser(request, member)) : answer;
    }),
    ["messages.edit.sender-only"],
    ["workflow editing-roles"],
  ],
  [
    "administrators-move-without-group",
    "lets administrators move messages regardless of their groups",
    always(["editMessage"], async (request, forward, known) => {
      const { organization = "", caller } = known.callerOf(request) ?? {};
      const owner = known.usersOf(organization).find((user) => user.caller === "owner");
      const isMove = caller === "administrator" && parametersOf(request).has("topic");
      return forward(isMove && owner !== undefined ? asUser(request, owner) : request);
    }),
    ["messages.edit.groups-not-roles"],
    ["workflow editing-roles"],
  ],
  [
    "owners-not-exempt",
    "also applies the time limits of moves to owners",
    refusesCaller(["editMessage"], "owner"),
    ["messages.edit.owners-exempt"],
    ["workflow editing-roles"],
  ],
  [
    "silent-wildcard-restricted",
    "restricts silent wildcard mentions as well",
    changesParameters(["editMessage"], (parameters) => {
      const content = parameters.get("content");
      if (content !== null) parameters.set("content", content.replace("@_**", "@**"));
    }),
    ["messages.edit.wildcard-syntax"],
    ["workflow editing-wildcards"],
  ],
  [
    "moved-message-not-received",
    "shows a moved message only to those who had received it before",
    always(["getMessages"], async (request, forward, known) => {
      const answer = await forward(request);
      const body = jsonOf(answer);
      const isPersonal = !parametersOf(request).has("narrow") && known.callerOf(request)?.caller !== "member";
      if (answer.status !== 200 || body === undefined || !isPersonal) return answer;
      const messages = listOf(body.messages).filter(
        ({ edit_history }) => !listOf(edit_history).some((entry) => "stream" in entry),
      );
      return withJson(answer, { ...body, messages, found_anchor: body.found_anchor && messages.length > 0 });
    }),
    ["messages.edit.moved-recipients"],
    ["workflow moving-recipients"],
  ],
  [
    "both-limits-for-both-moves",
    "applies the time limit of topics to moves to another channel and topic",
    refuses("editMessage", (parameters) => parameters.has("topic") && parameters.has("stream_id")),
    ["messages.edit.both-moves"],
    ["workflow moving-to-channel-and-topic-limits"],
  ],
  [
    "late-move-counts-only-target",
    "counts only the target in the error of a late move of one message",
    changesError(["editMessage"], (body, { request }) => {
      if (parametersOf(request).get("propagate_mode") !== "change_one" || !("total_messages_in_topic" in body)) return;
      body.total_messages_in_topic = 1;
    }),
    ["messages.edit.limit-any-mode"],
    ["workflow moving-late-messages"],
  ],
  [
    "zero-instead-of-null",
    "returns 0 instead of null if no message may be moved",
    changesError(["editMessage"], (body) => {
      if (body.first_message_id_allowed_to_move === null) body.first_message_id_allowed_to_move = 0;
    }),
    ["messages.edit.limit-first-null"],
    ["workflow moving-late-messages"],
  ],
  [
    "typing-in-any-message",
    "accepts a typing status for messages of other users",
    forgives("setEditTypingStatus", ""),
    ["messages.typing.own-message"],
    ["case setEditTypingStatus/of_another_user"],
  ],
  [
    "range-of-5000-refused",
    "refuses a range of 5000 messages",
    refuses(
      "getMessages",
      (parameters) => Number(parameters.get("num_before")) + Number(parameters.get("num_after")) >= 5000,
    ),
    ["messages.get.at-most-5000"],
    ["case getMessages/five_thousand_both_ways"],
  ],
  [
    "nothing-around-absent-anchor",
    "finds no messages around an anchor that is outside the narrow",
    changesSuccess(["getMessages"], (body, { request }) => {
      if (body.found_anchor === false && Number(parametersOf(request).get("anchor")) > 0) body.messages = [];
    }),
    ["messages.get.anchor-between"],
    ["workflow reading-ends"],
  ],
  [
    "empty-range-finds-no-end",
    "returns false as `found_newest` and `found_oldest` with a range without messages",
    changesSuccess(["getMessages"], (body) => {
      if (listOf(body.messages).length > 0) return;
      body.found_newest = false;
      body.found_oldest = false;
    }),
    ["messages.get.empty-range"],
    ["workflow reading-beyond-the-ends"],
  ],
  [
    "history-limited-omitted",
    "omits `history_limited` if the history is complete",
    changesSuccess(["getMessages"], (body) => {
      delete body.history_limited;
    }),
    ["messages.get.history-limited-false"],
    ["workflow reading-ends"],
  ],
  [
    "negative-counts-read-as-zero",
    "treats negative numbers of messages as 0",
    changesParameters(["getMessages"], (parameters) => {
      for (const name of ["num_before", "num_after"]) if (Number(parameters.get(name)) < 0) parameters.set(name, "0");
    }),
    ["messages.get.bad-request"],
    ["workflow reading-refusal-codes"],
  ],
  [
    "unknown-conditions-ignored",
    "ignores conditions with an unknown operator",
    changesParameters(["getMessages"], (parameters) => {
      const conditions = parseJson(parameters.get("narrow") ?? "");
      if (!Array.isArray(conditions)) return;
      const known = conditions.filter((one) => !isJson(one) || one.operator !== "weather");
      parameters.set("narrow", JSON.stringify(known));
    }),
    ["messages.get.unknown-narrow"],
    ["workflow reading-refusal-codes"],
  ],
  [
    "dm-of-nobody-refused",
    "refuses the operator `dm` with an empty list",
    refuses("getMessages", (parameters) => {
      const conditions = parseJson(parameters.get("narrow") ?? "");
      return listOf(conditions).some(({ operand }) => Array.isArray(operand) && operand.length === 0);
    }),
    ["messages.get.empty-dm"],
    ["workflow reading-direct-messages-of-nobody"],
  ],
  [
    "subject-omitted",
    "omits `subject` from messages",
    changesMessages((message) => {
      message.topic = message.subject;
      delete message.subject;
    }),
    ["messages.get.message-fields"],
    ["workflow reading-fields"],
  ],
  [
    "sender-omitted-from-recipients",
    "omits the sender from the recipients of a direct message",
    changesMessages((message) => {
      if (!Array.isArray(message.display_recipient)) return;
      message.display_recipient = listOf(message.display_recipient).filter(({ id }) => id !== message.sender_id);
    }),
    ["messages.get.recipient-fields"],
    ["workflow reading-fields"],
  ],
  [
    "search-ignored",
    "ignores the operator `search`",
    changesParameters(["getMessages"], (parameters) => {
      const conditions = parseJson(parameters.get("narrow") ?? "");
      if (!Array.isArray(conditions)) return;
      const others = conditions.filter((one) => !isJson(one) || one.operator !== "search");
      parameters.set("narrow", JSON.stringify(others));
    }),
    ["messages.get.search"],
    ["workflow reading-search"],
  ],
  [
    "raw-html-rendered",
    "passes raw HTML through unescaped",
    changesMessages((message) => {
      message.content = String(message.content).replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    }),
    ["messages.get.rendered-safely"],
    ["workflow reading-search"],
  ],
  [
    "channel-ids-refused-in-narrow",
    "accepts channels only by name in a narrow",
    always(["getMessages"], (request, forward) => {
      const conditions = parseJson(parametersOf(request).get("narrow") ?? "");
      const isId = (one: unknown) => Array.isArray(one) && one[0] === "channel" && /^\d+$/.test(String(one[1]));
      const isUnknown = Array.isArray(conditions) && conditions.some(isId);
      return isUnknown ? failure(400, "BAD_REQUEST", "Invalid channel") : forward(request);
    }),
    ["messages.get.narrow-operands"],
    ["workflow reading-narrow-conditions"],
  ],
  [
    "moderators-may-not-unresolve",
    "does not allow moderators to unresolve topics",
    refusesCaller(["editMessage"], "moderator"),
    ["messages.edit.unresolve-permission"],
    ["workflow topic-resolution-of-one"],
  ],
]);
