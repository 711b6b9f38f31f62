import { randomUUID } from "node:crypto";
import { variation } from "../describe.js";
import type { ChatVariation } from "../fault.js";
import { failure, isError, isJson, jsonOf, listOf, parametersOf } from "../messages.js";

/** The fields that every success may have. */
const common: readonly string[] = ["result", "msg", "ignored_parameters_unsupported"];

/** Variations of the JSON in responses. They apply before the form variations. */
export const contentVariations: readonly ChatVariation[] = [
  variation("key-order", "writes the keys of its objects in reverse order").changesJson("all", (body) =>
    mapObjects(body, (entries) => entries.reverse()),
  ),
  variation("extra-fields", "adds unknown fields to objects of every kind").changesJson("all", (body) => {
    for (const message of listOf(body.messages)) {
      for (const nested of [...listOf(message.reactions), ...listOf(message.edit_history)]) nested.later = [{}];
      for (const user of listOf(message.display_recipient)) user.later = null;
      message.later = { deep: [null] };
    }
    for (const upload of listOf(body.detached_uploads)) upload.later = 1;
    for (const objection of listOf(body.objections)) objection.later = "x";
    if (isJson(body.status) && Object.keys(body.status).length > 0) body.status.later = true;
    // A success without fields of its own has only the common ones.
    const isBare = body.result === "success" && Object.keys(body).every((name) => common.includes(name));
    return isBare ? body : { ...body, later: { deep: [1, null] }, "": "" };
  }),
  variation("other-texts", "writes all its texts in another language").changesError("all", (body) => {
    body.msg = "Das geht leider nicht – “так нельзя”";
  }),
  variation("extra-error-fields", "adds fields to errors").changesError("all", (body) => ({
    ...body,
    var_name: "x",
    documentation: null,
    details: [{ at: 1 }],
  })),
  variation("sets-in-other-order", "lists unordered sets in another order").changesJson("all", (body) => {
    for (const name of ["removed", "not_removed", "ignored_parameters_unsupported", "objections"]) {
      if (Array.isArray(body[name])) body[name] = body[name].toReversed();
    }
    for (const objection of listOf(body.objections)) {
      if (Array.isArray(objection.settings)) objection.settings.reverse();
    }
  }),
  variation("empty-ignored-list-returned", "returns the list of ignored parameters even when it is empty").adds(
    "all",
    "ignored_parameters_unsupported",
    [],
  ),
  variation("late-move-without-own-code", "returns BAD_REQUEST for a late move without `change_all`").changesResponse(
    "editMessage",
    (response, request) => {
      const isLate = isError(response, "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED");
      const isWhole = parametersOf(request).get("propagate_mode") === "change_all";
      return isLate && !isWhole ? failure() : undefined;
    },
  ),
  variation(
    "messages-of-detached-uploads",
    "names a message of each detached upload, with its time in milliseconds",
  ).changesJson("editMessage", (body) => {
    for (const upload of listOf(body.detached_uploads)) upload.messages = [{ date_sent: upload.create_time, id: 1 }];
  }),
  variation("code-points-in-upper-case", "writes the code points of an emoji in upper case").changesJson(
    ["getMessages", "getUserStatus"],
    (body) => {
      for (const one of [
        ...listOf(body.messages).flatMap(({ reactions }) => listOf(reactions)),
        ...listOf([body.status]),
      ]) {
        if (one.reaction_type === "unicode_emoji") one.emoji_code = String(one.emoji_code).toUpperCase();
      }
    },
  ),
  variation("away-never-omitted", "returns `away` as false instead of omitting it").adds(
    "getUserStatus",
    "status.away",
    false,
  ),
  variation(
    "history-limited-with-the-oldest",
    "omits `history_limited` unless the oldest messages were fetched",
  ).changes("getMessages", "history_limited", (isLimited, body) =>
    body.found_oldest === true ? isLimited : undefined,
  ),
  variation("anchor-beyond-all-messages", "places `first_unread` beyond all messages if all are read").changesJson(
    "getMessages",
    (body, { status, request }) => {
      const parameters = parametersOf(request);
      const isFromUnread =
        parameters.get("anchor") === "first_unread" || parameters.get("use_first_unread_anchor") === "true";
      const messages = listOf(body.messages);
      const isRead = messages.every(({ flags }) => Array.isArray(flags) && flags.includes("read"));
      if (status !== 200 || !isFromUnread || !isRead) return;
      body.anchor = 10_000_000_000_000_000;
      body.found_anchor = false;
      // The most recent message now comes before the anchor.
      const count = Number(parameters.get("num_before"));
      body.messages = count === 0 ? [] : messages.slice(-count);
    },
  ),
  variation("varying-html-attributes", "writes different attributes into HTML every time").changesJson(
    "getMessages",
    (body) => {
      for (const message of listOf(body.messages)) {
        if (message.content_type !== "text/html") continue;
        const attributes = `data-message="${message.id}" data-rendered='${randomUUID()}'`;
        message.content = String(message.content).replace(/<(a|p)\b/g, `<$1 ${attributes}`);
      }
    },
  ),
  variation(
    "own-code-for-malformed",
    "returns 422 with its own code for missing or malformed parameters",
  ).changesResponse("all", (response) => {
    const isMalformed = /^(Missing|Argument|The form|Content)/.test(String(jsonOf(response)?.msg));
    return response.status === 400 && isMalformed ? failure(422, "INVALID_PARAMETERS", "No") : undefined;
  }),
];

function mapObjects(value: unknown, change: (entries: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isJson(value)) return value;
  return Object.fromEntries(change(Object.entries(value)).map(([key, item]) => [key, mapObjects(item, change)]));
}
