import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import type { Json } from "../messages.js";

/** Responses whose JSON violates its schema. */
export const schemaFaults: readonly ChatFault[] = ofFamily("schema", [
  fault("number-as-text", "returns the id of a new profile field as a string")
    .breaks("createProfileField")
    .checkedBy("case createProfileField/short_text")
    .changes("createProfileField", "id", (id) => String(id)),
  fault("fraction-as-id", "returns ids of reminders with a fraction")
    .breaks("createReminder")
    .checkedBy("case createReminder/note_only")
    .changes("createReminder", "reminder_id", (id) => Number(id) + 0.5),
  fault("null-instead-of-text", "returns null for an unset name")
    .breaks("getServerSettings")
    .checkedBy("probe getServerSettings/unknown-parameters")
    .returns("getServerSettings", "realm_name", null),
  fault("wrapped-in-data", "wraps the fields of a success in `data`")
    .breaks("getUserStatus")
    .checkedBy("case getUserStatus/text_only")
    .changesSuccess("getUserStatus", ({ result, msg, ...data }) => ({ result, msg, data })),
  fault("value-outside-enum", "returns an unknown emoji type")
    .breaks("getMessages")
    .checkedBy("case getMessages/unicode_reaction")
    .returns("getMessages", "messages[].reactions[].reaction_type", "zulip_extra_emoji"),
  fault("unset-as-null", "returns null for every key of an unset status")
    .breaks("getUserStatus", "users.get-status.only-set-keys")
    .checkedBy("case getUserStatus/no_status")
    .changes("getUserStatus", "status", (status) => ({
      ...{ status_text: null, emoji_name: null, emoji_code: null },
      ...(status as Json),
    })),
  fault("field-under-another-name", "reports in `foundAnchor` whether the anchor is among the messages")
    .breaks("getMessages")
    .checkedBy("case getMessages/raw_markdown")
    .changesSuccess("getMessages", ({ found_anchor: foundAnchor, ...rest }) => ({ ...rest, foundAnchor })),
  fault("error-field-missing", "does not name the missing channel in an error")
    .breaks("subscriptions.remove.unknown-channel-name", "errors.code-fields")
    .checkedBy("case unsubscribe/unknown_channel")
    .omits("unsubscribe", "stream"),
  fault("error-field-of-wrong-type", "returns a list of the movable messages instead of their number")
    .breaks("editMessage")
    .checkedBy("case editMessage/limit_whole_topic")
    .changes("editMessage", "total_messages_allowed_to_move", () => []),
]);
