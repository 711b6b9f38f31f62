import { ofFamily } from "../../fault.js";
import { changesParameters } from "../changes.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import type { KnownValues } from "../known-organizations.js";

/** Wrong handling of settings of the organization, the server and the user. */
export const organizationFaults: readonly ChatFault[] = ofFamily("organization", [
  fault("id-of-another-field", "returns a wrong id for the new profile field")
    .breaks("profile-fields.create.id")
    .checkedBy("workflow profile-fields-id-names-field")
    .changes("createProfileField", "id", (id) => Number(id) + 1),
  fault("no-pronouns", "supports only seven types of profile fields")
    .breaks("profile-fields.create.pronouns")
    .reads("createProfileField", "field_type", (type) => (type === "8" ? "9" : type)),
  fault("named-groups-not-inserted", "does not insert named groups into the URL of a linkifier")
    .breaks("linkifiers.update.group-inserted")
    .checkedBy("workflow linkifiers-group-inserted")
    .reads("updateLinkifier", "url_template", (template) => template.replace(/\{\w+\}/g, "group")),
  fault("only-simple-expansion", "expands `{+path}` like `{path}`")
    .breaks("linkifiers.update.rfc-6570")
    .checkedBy("workflow linkifiers-reserved-expansion")
    .reads("updateLinkifier", "url_template", (template) => template.replaceAll("{+", "{")),
  fault("deprecated-url-differs", "returns `realm_uri` without the scheme")
    .breaks("server-settings.get.realm-uri")
    .checkedBy("workflow server-settings-realm-uri")
    .changesSuccess("getServerSettings", (body) => {
      body.realm_url ??= "https://chat.example.com";
      body.realm_uri = String(body.realm_url).replace(/^https:/, "");
    }),
  fault("logo-not-square", "returns a logo that is twice as wide as high")
    .breaks("server-settings.get.realm-icon")
    .returns(
      "getServerSettings",
      "realm_icon",
      "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%202%201'/%3E",
    ),
  fault("older-level-reported", "reports feature level 390 although it is newer")
    .breaks("user-groups.update-subgroups.deactivated-group-refused")
    .checkedBy("case updateSubgroups")
    .returns("getServerSettings", "service_feature_level", 390),
  fault("much-older-level-reported", "reports feature level 200 although it is newer")
    .breaks("subscriptions.remove.unknown-principal-forbidden")
    .returns("getServerSettings", "service_feature_level", 200),
  fault("end-of-fragment-ignored", "matches views by the first part of their fragments")
    .breaks("navigation-views.remove.slashes", "navigation-views.remove.removed")
    .checkedBy("case removeNavigationView/one_of_two", "case removeNavigationView/fragment_with_slashes")
    .changesRequest("removeNavigationView", (request) => ({
      ...request,
      target: request.target.replace(/((?:narrow)(?:\/|%2F)\w+)(?:\/|%2F).*$/i, "$1"),
    })),
]);

/** Wrong handling of reminders and scheduled messages. */
export const reminderFaults: readonly ChatFault[] = ofFamily("reminders and scheduled messages", [
  fault("reminder-an-hour-late", "delivers reminders an hour late")
    .breaks("reminders.create.timestamp")
    .checkedBy("workflow reminder-delivered")
    .by(shiftsReminders(3600)),
  fault("reminder-half-an-hour-early", "delivers reminders half an hour early")
    .breaks("reminders.create.timestamp")
    .checkedBy("workflow reminder-delivered")
    .by(shiftsReminders(-1800)),
  fault("reminder-never-delivered", "keeps reminders and does not deliver them")
    .breaks("reminders.create.timestamp")
    .checkedBy("workflow reminder-without-note")
    .by(shiftsReminders(10 * 365 * 86_400)),
  fault("reminder-delivered-twice", "delivers reminders twice")
    .breaks("reminders.create.created", "reminders.create.timestamp", "reminders.create.notification-bot")
    .checkedBy("workflow reminder-without-note")
    .always("createReminder", async (request, forward) => {
      await forward(request);
      return forward(request);
    }),
  fault("time-in-milliseconds", "reads the time of a reminder as milliseconds")
    .breaks("reminders.create.timestamp")
    .checkedBy("case createReminder/message_and_time")
    .reads("createReminder", "scheduled_delivery_timestamp", (time) => String(Math.floor(Number(time) / 1000))),
  fault("sent-under-scheduled-id", "sends messages with the id under which they were scheduled")
    .breaks("scheduled-messages.delete.id-differs")
    .changesMessages((message, { request, known }) => {
      const isThis = ({ state, params }: KnownValues) =>
        state === "scheduled-message" && params.content === message.content;
      message.id = known.setupsOf(request).find(isThis)?.values.scheduled_message_id ?? message.id;
    }),
]);

function shiftsReminders(seconds: number) {
  return changesParameters("createReminder", (parameters) => {
    const time = parameters.get("scheduled_delivery_timestamp");
    if (time !== null) parameters.set("scheduled_delivery_timestamp", String(Number(time) + seconds));
  });
}
