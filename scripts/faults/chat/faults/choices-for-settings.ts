import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { lacks, matches } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { jsonOf, listOf } from "../messages.js";

/** Choices about reminders, linkifiers and profile fields other than those that the contract recommends. */
export const settingChoiceFaults: readonly ChatFault[] = ofFamily("other choices about settings", [
  fault("reminder-without-time-never-delivered", "never delivers reminders without a time")
    .breaks("reminders.create.immediate")
    .skips("createReminder", lacks("scheduled_delivery_timestamp"), { reminder_id: 1 }),
  fault("reminder-without-recipients", "names only the notification bot as the recipient of a reminder")
    .breaks("reminders.create.recipient")
    .checkedBy("workflow reminder-at-once")
    .changes("getMessages", "messages[].display_recipient", (to, { content, sender_id: sender }) =>
      Array.isArray(to) && String(content).includes("Ask the porter")
        ? listOf(to).filter(({ id }) => id === sender)
        : to,
    ),
  fault("reminder-of-hidden-message", "accepts reminders of messages that the caller cannot read")
    .breaks("reminders.create.inaccessible-message")
    .forgives("createReminder", "Invalid message", { reminder_id: 1 }),
  fault("reminder-of-nothing", "creates a reminder without any parameter")
    .breaks("reminders.create.no-parameters")
    .forgives("createReminder", "A reminder needs", { reminder_id: 1 }),
  fault("reminder-in-the-past", "accepts reminders in the past")
    .breaks("reminders.create.timestamp-range")
    .forgives("createReminder", "scheduled_delivery_timestamp must not", { reminder_id: 1 }),
  fault("update-linkifier-without-permission", "lets every user update linkifiers")
    .breaks("linkifiers.update.administrators-only")
    .forgives("updateLinkifier", "Must be an organization administrator"),
  fault("invalid-template-accepted", "accepts URL templates with unclosed braces")
    .breaks("linkifiers.update.invalid")
    .forgives("updateLinkifier", "", {}, (parameters) => {
      const template = parameters.get("url_template") ?? "";
      return template.split("{").length > template.split("}").length;
    }),
  fault("group-syntax-refused", "refuses `(?<name>…)` in patterns")
    .breaks("linkifiers.update.dialect")
    .refuses("updateLinkifier", matches("pattern", /\(\?</)),
  fault("unknown-group-in-template", "accepts templates with groups that the pattern lacks")
    .breaks("linkifiers.update.groups-match")
    .forgives("updateLinkifier", "The URL template uses {"),
  fault("earlier-messages-linked-again", "renders links in earlier messages again when a linkifier changes")
    .breaks("linkifiers.update.later-messages")
    .by(
      remembers(
        ["updateLinkifier", "getMessages"],
        () => ({ isUpdated: false }),
        async (request, forward, state) => {
          const response = await forward(request);
          if (request.operationId === "updateLinkifier") state.isUpdated = true;
          if (!state.isUpdated || jsonOf(response)?.messages === undefined) return response;
          const body = String(response.body).replaceAll("https://old.example.com/cue", "https://cues.example.com/");
          return { ...response, body: Buffer.from(body) };
        },
      ),
    ),
  fault("unknown-field-type-is-text", "treats unknown types of profile fields as short text")
    .breaks("profile-fields.create.unknown-type")
    .checkedBy("workflow profile-fields-refused")
    .reads("createProfileField", "field_type", (type) => (Number(type) > 8 ? "1" : type)),
  fault("list-without-choices-accepted", "accepts a list of options without choices")
    .breaks("profile-fields.create.choices-valid")
    .checkedBy("workflow profile-fields-refused")
    .forgives("createProfileField", "A list of options needs", { id: 1 }),
  fault("own-code-for-summary", "refuses fields in the profile summary with a code of its own")
    .breaks("profile-fields.create.summary-code")
    .checkedBy("workflow profile-fields-refused")
    .changes("createProfileField", "code", (code, { msg }) =>
      String(msg).includes("profile summary") ? "NOT_IN_SUMMARY" : code,
    ),
  fault("any-text-as-profile-value", "accepts any text as the value of any profile field")
    .breaks("profile-fields.create.values")
    .forgives("updateUserByEmail", "The value of the profile field"),
]);
