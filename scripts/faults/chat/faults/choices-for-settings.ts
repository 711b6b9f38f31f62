import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { lacks } from "../conditions.js";
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
  fault("own-code-for-summary", "refuses fields in the profile summary with a code of its own")
    .breaks("profile-fields.create.summary-code")
    .checkedBy("workflow profile-fields-refused")
    .changes("createProfileField", "code", (code, { msg }) =>
      String(msg).includes("profile summary") ? "NOT_IN_SUMMARY" : code,
    ),
]);
