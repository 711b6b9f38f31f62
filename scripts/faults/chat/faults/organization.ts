import {
  always,
  changesMessages,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  ignores,
  jsonOf,
  success,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Wrong handling of settings of the organization, the server and the user. */
export const organizationFaults: readonly Fault[] = ofFamily("organization", [
  [
    "third-field-in-summary",
    "displays a third profile field in the summary",
    forgives("createProfileField", "Only 2 custom profile fields", () => ({ id: 77 })),
    ["profile-fields.create.third-in-summary"],
    ["case createProfileField/third_in_summary"],
  ],
  [
    "summary-flag-ignored",
    "ignores `display_in_profile_summary`",
    ignores("createProfileField", "display_in_profile_summary"),
    ["profile-fields.create.third-in-summary", "profile-fields.create.long-text-in-summary"],
    ["case createProfileField/long_text_in_summary"],
  ],
  [
    "long-text-in-summary",
    "displays long texts in the summary",
    always(["createProfileField"], async (request, forward) => {
      const answer = await forward(request);
      const isLongText = /field_type=2\b/.test(String(request.body));
      return isLongText && String(jsonOf(answer)?.msg).startsWith("Field type") ? success({ id: 78 }) : answer;
    }),
    ["profile-fields.create.long-text-in-summary"],
    ["case createProfileField/long_text_in_summary"],
  ],
  [
    "create-field-without-permission",
    "allows any user to create profile fields",
    forgives("createProfileField", "Must be an organization administrator", () => ({ id: 79 })),
    ["profile-fields.create.administrators-only"],
    ["probe createProfileField/by-"],
  ],
  [
    "id-of-another-field",
    "returns a wrong id for the new profile field",
    changesSuccess(["createProfileField"], (body) => {
      body.id = Number(body.id) + 1;
    }),
    ["profile-fields.create.id"],
    ["workflow profile-fields-id-names-field"],
  ],
  [
    "no-pronouns",
    "supports only seven types of profile fields",
    changesParameters(["createProfileField"], (parameters) => {
      if (parameters.get("field_type") === "8") parameters.set("field_type", "9");
    }),
    ["profile-fields.create.pronouns"],
    ["case createProfileField/pronouns"],
  ],
  [
    "choices-ignored",
    "ignores the choices of a list of options",
    ignores("createProfileField", "field_data"),
    ["profile-fields.create.choices", "profile-fields.create.list-of-options"],
    ["case createProfileField/list_of_options"],
  ],
  [
    "unknown-linkifier-updated",
    "returns success for an unknown linkifier",
    forgives("updateLinkifier", "Linkifier not found"),
    ["linkifiers.update.unknown-linkifier"],
    ["case updateLinkifier/unknown_linkifier"],
  ],
  [
    "named-groups-not-inserted",
    "does not insert named groups into the URL of a linkifier",
    changesParameters(["updateLinkifier"], (parameters) => {
      const template = parameters.get("url_template");
      if (template !== null) parameters.set("url_template", template.replace(/\{\w+\}/g, "group"));
    }),
    ["linkifiers.update.group-inserted"],
    ["workflow linkifiers-group-inserted"],
  ],
  [
    "only-simple-expansion",
    "expands `{+path}` like `{path}`",
    changesParameters(["updateLinkifier"], (parameters) => {
      const template = parameters.get("url_template");
      if (template !== null) parameters.set("url_template", template.replaceAll("{+", "{"));
    }),
    ["linkifiers.update.rfc-6570"],
    ["workflow linkifiers-reserved-expansion"],
  ],
  [
    "template-operators-refused",
    "rejects URL templates with operators",
    always(["updateLinkifier"], (request, forward) =>
      /%7B(%23|%3F|%2B)/i.test(String(request.body))
        ? failure(400, "BAD_REQUEST", "Invalid URL template")
        : forward(request),
    ),
    ["linkifiers.update.rfc-6570"],
    ["case updateLinkifier/query_expansion"],
  ],
  [
    "deprecated-url-differs",
    "returns `realm_uri` without the scheme",
    changesSuccess(["getServerSettings"], (body) => {
      body.realm_url ??= "https://chat.example.com";
      body.realm_uri = String(body.realm_url).replace(/^https:/, "");
    }),
    ["server-settings.get.realm-uri"],
    ["workflow server-settings-realm-uri"],
  ],
  [
    "logo-not-square",
    "returns a logo that is twice as wide as high",
    changesSuccess(["getServerSettings"], (body) => {
      body.realm_icon = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%202%201'/%3E";
    }),
    ["server-settings.get.realm-icon"],
    ["workflow organization-logo"],
  ],
  [
    "older-level-reported",
    "reports feature level 390 although it is newer",
    changesSuccess(["getServerSettings"], (body) => {
      body.service_feature_level = 390;
    }),
    ["user-groups.update-subgroups.deactivated-group-refused"],
    ["case updateSubgroups"],
  ],
  [
    "much-older-level-reported",
    "reports feature level 200 although it is newer",
    changesSuccess(["getServerSettings"], (body) => {
      body.service_feature_level = 200;
    }),
    ["subscriptions.remove.unknown-principal-forbidden"],
    ["case unsubscribe/unknown_principal_forbidden"],
  ],
  [
    "view-of-similar-name-removed",
    "removes a view with a similar fragment if none matches",
    forgives("removeNavigationView", "Navigation view does not exist"),
    ["navigation-views.remove.unknown-fragment"],
    ["case removeNavigationView/beginning_of_fragment"],
  ],
  [
    "end-of-fragment-ignored",
    "matches views by the first part of their fragments",
    always(["removeNavigationView"], (request, forward) =>
      forward({ ...request, target: request.target.replace(/((?:narrow)(?:\/|%2F)\w+)(?:\/|%2F).*$/i, "$1") }),
    ),
    ["navigation-views.remove.slashes", "navigation-views.remove.removed"],
    ["case removeNavigationView/one_of_two", "case removeNavigationView/fragment_with_slashes"],
  ],
]);

/** Wrong handling of reminders and scheduled messages. */
export const reminderFaults: readonly Fault[] = ofFamily("reminders and scheduled messages", [
  [
    "note-lost",
    "ignores the note of a reminder",
    ignores("createReminder", "note"),
    ["reminders.create.note"],
    ["workflow reminder-delivered"],
  ],
  [
    "reminder-an-hour-late",
    "delivers reminders an hour late",
    shiftsReminders(3600),
    ["reminders.create.timestamp"],
    ["workflow reminder-delivered"],
  ],
  [
    "reminder-half-an-hour-early",
    "delivers reminders half an hour early",
    shiftsReminders(-1800),
    ["reminders.create.timestamp"],
    ["workflow reminder-delivered"],
  ],
  [
    "reminder-never-delivered",
    "keeps reminders and does not deliver them",
    shiftsReminders(10 * 365 * 86_400),
    ["reminders.create.timestamp"],
    ["workflow reminder-without-note"],
  ],
  [
    "reminder-at-once",
    "delivers reminders immediately",
    ignores("createReminder", "scheduled_delivery_timestamp"),
    ["reminders.create.timestamp"],
    ["workflow reminder-delivered"],
  ],
  [
    "reminder-delivered-twice",
    "delivers reminders twice",
    always(["createReminder"], async (request, forward) => {
      await forward(request);
      return forward(request);
    }),
    ["reminders.create.created", "reminders.create.timestamp", "reminders.create.notification-bot"],
    ["workflow reminder-without-note"],
  ],
  [
    "reminder-of-unknown-message",
    "accepts a reminder about an unknown message",
    forgives("createReminder", "Invalid message(s)", () => ({ reminder_id: 5 })),
    ["reminders.create.unknown-message"],
    ["case createReminder/unknown_message"],
  ],
  [
    "reminder-needs-message",
    "requires a message for every reminder",
    always(["createReminder"], (request, forward) =>
      String(request.body).includes("message_id=")
        ? forward(request)
        : failure(400, "BAD_REQUEST", "Missing message_id"),
    ),
    ["reminders.create.without-message"],
    ["case createReminder/note_only"],
  ],
  [
    "time-in-milliseconds",
    "reads the time of a reminder as milliseconds",
    changesParameters(["createReminder"], (parameters) => {
      const time = parameters.get("scheduled_delivery_timestamp");
      if (time !== null) parameters.set("scheduled_delivery_timestamp", String(Math.floor(Number(time) / 1000)));
    }),
    ["reminders.create.timestamp"],
    ["case createReminder/message_and_time"],
  ],
  [
    "cancelled-twice",
    "returns success for a scheduled message that was already cancelled",
    forgives("deleteScheduledMessage", "Scheduled message does not exist"),
    ["scheduled-messages.delete.already-deleted", "scheduled-messages.delete.unknown-scheduled-message"],
    ["case deleteScheduledMessage/unknown_scheduled_message"],
  ],
  [
    "sent-under-scheduled-id",
    "sends messages with the id under which they were scheduled",
    changesMessages((message, { request, known }) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const scheduled = known
        .valuesOf(organization)
        .find(({ state, params }) => state === "scheduled-message" && params.content === message.content);
      if (scheduled !== undefined) message.id = scheduled.values.scheduled_message_id;
    }),
    ["scheduled-messages.delete.id-differs"],
    ["workflow scheduled-message-sent"],
  ],
]);

function shiftsReminders(seconds: number) {
  return changesParameters(["createReminder"], (parameters) => {
    const time = parameters.get("scheduled_delivery_timestamp");
    if (time !== null) parameters.set("scheduled_delivery_timestamp", String(Number(time) + seconds));
  });
}
