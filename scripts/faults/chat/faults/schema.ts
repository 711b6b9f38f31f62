import { changesError, changesMessages, changesSuccess, isJson, listOf } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Answers whose JSON is not what the schemas say. */
export const schemaFaults: readonly Fault[] = ofFamily("schema", [
  [
    "field-missing",
    "leaves `found_newest` out",
    changesSuccess(["getMessages"], (body) => {
      delete body.found_newest;
    }),
    ["getMessages"],
    ["case getMessages/newest"],
  ],
  [
    "number-as-text",
    "answers the id of a new profile field as text",
    changesSuccess(["createProfileField"], (body) => {
      body.id = String(body.id);
    }),
    ["createProfileField"],
    ["case createProfileField/short_text"],
  ],
  [
    "fraction-as-id",
    "answers ids of reminders with a fraction",
    changesSuccess(["createReminder"], (body) => {
      body.reminder_id = Number(body.reminder_id) + 0.5;
    }),
    ["createReminder"],
    ["case createReminder/note_only"],
  ],
  [
    "null-in-place-of-text",
    "answers null for a name that is not set",
    changesSuccess(["getServerSettings"], (body) => {
      body.realm_name = null;
    }),
    ["getServerSettings"],
    ["probe getServerSettings/unknown-parameters"],
  ],
  [
    "null-in-place-of-list",
    "answers null for a list without items",
    changesSuccess(["unsubscribe"], (body) => {
      if (Array.isArray(body.not_removed) && body.not_removed.length === 0) body.not_removed = null;
    }),
    ["unsubscribe"],
    ["case unsubscribe/other_user_by_id"],
  ],
  [
    "list-as-object",
    "answers a list as an object with numbered keys",
    changesSuccess(["unsubscribe"], (body) => {
      body.removed = { ...(body.removed as string[]) };
    }),
    ["unsubscribe"],
    ["case unsubscribe/other_user_by_id"],
  ],
  [
    "wrapped-in-data",
    "puts the fields of a success into `data`",
    changesSuccess(["getUserStatus"], ({ result, msg, ...data }) => ({ result, msg, data })),
    ["getUserStatus"],
    ["case getUserStatus/text_only"],
  ],
  [
    "value-outside-enum",
    "names a type of emoji that there is none of",
    changesMessages((message) => {
      for (const reaction of listOf(message.reactions)) reaction.reaction_type = "zulip_extra_emoji";
    }),
    ["getMessages"],
    ["case getMessages/unicode_reaction"],
  ],
  [
    "unset-as-null",
    "answers null for every key of a status that is not set",
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
    "field-of-another-name",
    "says in `foundAnchor` whether the anchor is among the messages",
    changesSuccess(["getMessages"], ({ found_anchor: foundAnchor, ...rest }) => ({ ...rest, foundAnchor })),
    ["getMessages"],
    ["case getMessages/raw_markdown"],
  ],
  [
    "error-field-missing",
    "does not say in an error which channel does not exist",
    changesError(["unsubscribe"], (body) => {
      delete body.stream;
    }),
    ["subscriptions.remove.unknown-channel-name", "errors.code-fields"],
    ["case unsubscribe/unknown_channel"],
  ],
  [
    "error-field-of-wrong-type",
    "answers the messages that may be moved as a list in the place of their number",
    changesError(["editMessage"], (body) => {
      if ("total_messages_allowed_to_move" in body) body.total_messages_allowed_to_move = [];
    }),
    ["messages.edit.limit-allowed"],
    ["case editMessage/limit_whole_topic"],
  ],
]);
