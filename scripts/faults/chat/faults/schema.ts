import { changesError, changesMessages, changesSuccess, isJson, listOf } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Responses whose JSON violates its schema. */
export const schemaFaults: readonly Fault[] = ofFamily("schema", [
  [
    "field-missing",
    "omits `found_newest`",
    changesSuccess(["getMessages"], (body) => {
      delete body.found_newest;
    }),
    ["getMessages"],
    ["case getMessages/newest"],
  ],
  [
    "number-as-text",
    "returns the id of a new profile field as a string",
    changesSuccess(["createProfileField"], (body) => {
      body.id = String(body.id);
    }),
    ["createProfileField"],
    ["case createProfileField/short_text"],
  ],
  [
    "fraction-as-id",
    "returns ids of reminders with a fraction",
    changesSuccess(["createReminder"], (body) => {
      body.reminder_id = Number(body.reminder_id) + 0.5;
    }),
    ["createReminder"],
    ["case createReminder/note_only"],
  ],
  [
    "null-instead-of-text",
    "returns null for an unset name",
    changesSuccess(["getServerSettings"], (body) => {
      body.realm_name = null;
    }),
    ["getServerSettings"],
    ["probe getServerSettings/unknown-parameters"],
  ],
  [
    "null-instead-of-list",
    "returns null for an empty list",
    changesSuccess(["unsubscribe"], (body) => {
      if (Array.isArray(body.not_removed) && body.not_removed.length === 0) body.not_removed = null;
    }),
    ["unsubscribe"],
    ["case unsubscribe/other_user_by_id"],
  ],
  [
    "list-as-object",
    "returns a list as an object with numbered keys",
    changesSuccess(["unsubscribe"], (body) => {
      body.removed = { ...(body.removed as string[]) };
    }),
    ["unsubscribe"],
    ["case unsubscribe/other_user_by_id"],
  ],
  [
    "wrapped-in-data",
    "wraps the fields of a success in `data`",
    changesSuccess(["getUserStatus"], ({ result, msg, ...data }) => ({ result, msg, data })),
    ["getUserStatus"],
    ["case getUserStatus/text_only"],
  ],
  [
    "value-outside-enum",
    "returns an unknown emoji type",
    changesMessages((message) => {
      for (const reaction of listOf(message.reactions)) reaction.reaction_type = "zulip_extra_emoji";
    }),
    ["getMessages"],
    ["case getMessages/unicode_reaction"],
  ],
  [
    "unset-as-null",
    "returns null for every key of an unset status",
    changesSuccess(["getUserStatus"], (body) => {
      body.status = {
        status_text: null,
        emoji_name: null,
        emoji_code: null,
        ...(isJson(body.status) ? body.status : {}),
      };
    }),
    ["getUserStatus", "users.get-status.only-set-keys"],
    ["case getUserStatus/no_status"],
  ],
  [
    "field-under-another-name",
    "reports in `foundAnchor` whether the anchor is among the messages",
    changesSuccess(["getMessages"], ({ found_anchor: foundAnchor, ...rest }) => ({ ...rest, foundAnchor })),
    ["getMessages"],
    ["case getMessages/raw_markdown"],
  ],
  [
    "error-field-missing",
    "does not name the missing channel in an error",
    changesError(["unsubscribe"], (body) => {
      delete body.stream;
    }),
    ["subscriptions.remove.unknown-channel-name", "errors.code-fields"],
    ["case unsubscribe/unknown_channel"],
  ],
  [
    "error-field-of-wrong-type",
    "returns a list of the movable messages instead of their number",
    changesError(["editMessage"], (body) => {
      if ("total_messages_allowed_to_move" in body) body.total_messages_allowed_to_move = [];
    }),
    ["editMessage"],
    ["case editMessage/limit_whole_topic"],
  ],
]);
