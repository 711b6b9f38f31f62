import { randomUUID } from "node:crypto";
import { always, changesError, changesJson, failure, isJson, jsonOf, listOf, parametersOf } from "../changes.js";
import type { Variation } from "../variation.js";

/** The fields that every success may have. */
const common: readonly string[] = ["result", "msg", "ignored_parameters_unsupported"];

/** Variations of the JSON in responses. They apply before the form variations. */
export const contentVariations: readonly Variation[] = [
  {
    name: "key-order",
    summary: "writes the keys of its objects in reverse order",
    behaviour: changesJson("all", (body) => mapObjects(body, (entries) => entries.reverse())),
  },
  {
    name: "extra-fields",
    summary: "adds unknown fields to objects of every kind",
    behaviour: changesJson("all", (body) => {
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
  },
  {
    name: "other-texts",
    summary: "writes all its texts in another language",
    behaviour: changesError("all", (body) => {
      body.msg = "Das geht leider nicht – “так нельзя”";
    }),
  },
  {
    name: "extra-error-fields",
    summary: "adds fields to errors",
    behaviour: changesError("all", (body) => ({ ...body, var_name: "x", documentation: null, details: [{ at: 1 }] })),
  },
  {
    name: "sets-in-other-order",
    summary: "lists unordered sets in another order",
    behaviour: changesJson("all", (body) => {
      for (const name of ["removed", "not_removed", "ignored_parameters_unsupported", "objections"]) {
        if (Array.isArray(body[name])) body[name] = body[name].toReversed();
      }
      for (const objection of listOf(body.objections)) {
        if (Array.isArray(objection.settings)) objection.settings.reverse();
      }
    }),
  },
  {
    name: "empty-ignored-list-returned",
    summary: "returns the list of ignored parameters even when it is empty",
    behaviour: changesJson("all", (body, { status }) => {
      if (status === 200) body.ignored_parameters_unsupported ??= [];
    }),
  },
  {
    name: "late-move-without-own-code",
    summary: "returns BAD_REQUEST for a late move without `change_all`",
    behaviour: always(["editMessage"], async (request, forward) => {
      const answer = await forward(request);
      const isLate = jsonOf(answer)?.code === "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED";
      const isWhole = parametersOf(request).get("propagate_mode") === "change_all";
      return isLate && !isWhole ? failure(400, "BAD_REQUEST", "The time limit has passed") : answer;
    }),
  },
  {
    name: "messages-of-detached-uploads",
    summary: "names a message of each detached upload, with its time in milliseconds",
    behaviour: changesJson(["editMessage"], (body) => {
      for (const upload of listOf(body.detached_uploads)) upload.messages = [{ date_sent: upload.create_time, id: 1 }];
    }),
  },
  {
    name: "code-points-in-upper-case",
    summary: "writes the code points of an emoji in upper case",
    behaviour: changesJson(["getMessages", "getUserStatus"], (body) => {
      for (const one of [
        ...listOf(body.messages).flatMap(({ reactions }) => listOf(reactions)),
        ...listOf([body.status]),
      ]) {
        if (one.reaction_type === "unicode_emoji") one.emoji_code = String(one.emoji_code).toUpperCase();
      }
    }),
  },
  {
    name: "away-never-omitted",
    summary: "returns `away` as false instead of omitting it",
    behaviour: changesJson(["getUserStatus"], (body) => {
      if (isJson(body.status)) body.status.away ??= false;
    }),
  },
  {
    name: "history-limited-with-the-oldest",
    summary: "omits `history_limited` unless the oldest messages were fetched",
    behaviour: changesJson(["getMessages"], (body) => {
      if (body.found_oldest !== true) delete body.history_limited;
    }),
  },
  {
    name: "anchor-beyond-all-messages",
    summary: "places `first_unread` beyond all messages if all are read",
    behaviour: changesJson(["getMessages"], (body, { status, request }) => {
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
    }),
  },
  {
    name: "varying-html-attributes",
    summary: "writes different attributes into HTML every time",
    behaviour: changesJson(["getMessages"], (body) => {
      for (const message of listOf(body.messages)) {
        if (message.content_type !== "text/html") continue;
        const attributes = `data-message="${message.id}" data-rendered='${randomUUID()}'`;
        message.content = String(message.content).replace(/<(a|p)\b/g, `<$1 ${attributes}`);
      }
    }),
  },
  {
    name: "own-code-for-malformed",
    summary: "returns 422 with its own code for missing or malformed parameters",
    behaviour: always("all", async (request, forward) => {
      const answer = await forward(request);
      const isMalformed = /^(Missing|Argument|The form|Content)/.test(String(jsonOf(answer)?.msg));
      return answer.status === 400 && isMalformed ? failure(422, "INVALID_PARAMETERS", "No") : answer;
    }),
  },
];

function mapObjects(value: unknown, change: (entries: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isJson(value)) return value;
  return Object.fromEntries(change(Object.entries(value)).map(([key, item]) => [key, mapObjects(item, change)]));
}
