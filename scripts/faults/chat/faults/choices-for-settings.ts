import {
  always,
  changesError,
  changesMessages,
  changesParameters,
  forgives,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  success,
  withJson,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Choices about reminders, linkifiers and profile fields other than those that the contract recommends. */
export const settingChoiceFaults: readonly Fault[] = ofFamily("other choices about settings", [
  [
    "reminder-without-time-never-delivered",
    "never delivers reminders without a time",
    always(["createReminder"], (request, forward) =>
      parametersOf(request).has("scheduled_delivery_timestamp") ? forward(request) : success({ reminder_id: 1 }),
    ),
    ["reminders.create.immediate"],
    ["workflow reminder-at-once"],
  ],
  [
    "reminder-without-recipients",
    "names only the notification bot as the recipient of a reminder",
    changesMessages((message) => {
      if (!Array.isArray(message.display_recipient) || !String(message.content).includes("Ask the porter")) return;
      message.display_recipient = listOf(message.display_recipient).filter(({ id }) => id === message.sender_id);
    }),
    ["reminders.create.recipient"],
    ["workflow reminder-at-once"],
  ],
  [
    "reminder-of-hidden-message",
    "accepts reminders of messages that the caller cannot read",
    forgives("createReminder", "Invalid message", () => ({ reminder_id: 1 })),
    ["reminders.create.inaccessible-message"],
    ["case createReminder/inaccessible_message"],
  ],
  [
    "reminder-of-nothing",
    "creates a reminder without any parameter",
    forgives("createReminder", "A reminder needs", () => ({ reminder_id: 1 })),
    ["reminders.create.no-parameters"],
    ["case createReminder/no_parameters"],
  ],
  [
    "reminder-in-the-past",
    "accepts reminders in the past",
    forgives("createReminder", "scheduled_delivery_timestamp must not", () => ({ reminder_id: 1 })),
    ["reminders.create.timestamp-range"],
    ["workflow reminders-refused"],
  ],
  [
    "update-linkifier-without-permission",
    "lets every user update linkifiers",
    forgives("updateLinkifier", "Must be an organization administrator"),
    ["linkifiers.update.administrators-only"],
    ["workflow linkifiers-refused"],
  ],
  [
    "invalid-template-accepted",
    "accepts URL templates with unclosed braces",
    always(["updateLinkifier"], async (request, forward) => {
      const template = parametersOf(request).get("url_template") ?? "";
      const isOpen = template.split("{").length > template.split("}").length;
      const answer = await forward(request);
      return isOpen && answer.status === 400 ? success() : answer;
    }),
    ["linkifiers.update.invalid"],
    ["workflow linkifiers-refused"],
  ],
  [
    "group-syntax-refused",
    "refuses `(?<name>…)` in patterns",
    refuses("updateLinkifier", (parameters) => parameters.get("pattern")?.includes("(?<") === true),
    ["linkifiers.update.dialect"],
    ["workflow linkifiers-refused"],
  ],
  [
    "unknown-group-in-template",
    "accepts templates with groups that the pattern lacks",
    forgives("updateLinkifier", "The URL template uses {"),
    ["linkifiers.update.groups-match"],
    ["workflow linkifiers-refused"],
  ],
  [
    "earlier-messages-linked-again",
    "renders links in earlier messages again when a linkifier changes",
    {
      on: ["updateLinkifier", "getMessages"],
      start: () => {
        let isUpdated = false;
        return async (request, forward) => {
          const answer = await forward(request);
          if (request.operationId === "updateLinkifier") isUpdated = true;
          const body = jsonOf(answer);
          if (!isUpdated || !Array.isArray(body?.messages)) return answer;
          return withJson(answer, {
            ...body,
            messages: listOf(body.messages).map((message) => ({
              ...message,
              content: String(message.content).replaceAll("https://old.example.com/cue", "https://cues.example.com/"),
            })),
          });
        };
      },
    },
    ["linkifiers.update.later-messages"],
    ["workflow linkifiers-matches"],
  ],
  [
    "unknown-field-type-is-text",
    "treats unknown types of profile fields as short text",
    changesParameters(["createProfileField"], (parameters) => {
      if (Number(parameters.get("field_type")) > 8) parameters.set("field_type", "1");
    }),
    ["profile-fields.create.unknown-type"],
    ["workflow profile-fields-refused"],
  ],
  [
    "list-without-choices-accepted",
    "accepts a list of options without choices",
    forgives("createProfileField", "A list of options needs", () => ({ id: 1 })),
    ["profile-fields.create.choices-valid"],
    ["workflow profile-fields-refused"],
  ],
  [
    "own-code-for-summary",
    "refuses fields in the profile summary with a code of its own",
    changesError(["createProfileField"], (body) => {
      if (String(body.msg).includes("profile summary")) body.code = "NOT_IN_SUMMARY";
    }),
    ["profile-fields.create.summary-code"],
    ["workflow profile-fields-refused"],
  ],
  [
    "any-text-as-profile-value",
    "accepts any text as the value of any profile field",
    forgives("updateUserByEmail", "The value of the profile field"),
    ["profile-fields.create.values"],
    ["workflow profile-fields-values"],
  ],
]);
