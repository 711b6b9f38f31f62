import { newest, range } from "../example-calls.js";
import { type PlantedMistake, start } from "../exchanges.js";

/** Mistakes in calls about topics, users, groups and settings. */
export const organizationMistakes: readonly PlantedMistake[] = [
  {
    name: "muting the empty topic on an old server",
    rule: "topics.mute.client-empty-topic",
    level: 300,
    calls: [["updateMutedTopic", { stream_id: 9, topic: "", op: "add" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "a channel by id and by name",
    rule: "topics.mute.client-channel",
    calls: [
      [
        "updateMutedTopic",
        { stream_id: 9, stream: "Denmark", topic: "castle", op: "add" },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a topic without a channel",
    rule: "topics.mute.client-channel",
    calls: [["updateMutedTopic", { topic: "castle", op: "add" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "an icon below the URL of the API",
    rule: "server-settings.get.display-icon-base",
    calls: [
      [
        "getServerSettings",
        {},
        { answer: { external_authentication_methods: [{ display_icon: "static/guild.png" }] } },
      ],
      [undefined, {}, { as: undefined, target: "/static/guild.png" }],
    ],
  },
  {
    name: "a channel by name",
    rule: "topics.mute.client-channel-id",
    calls: [["updateMutedTopic", { stream: "Denmark", topic: "castle", op: "remove" }]],
  },
  {
    name: "users by e-mail address",
    rule: "subscriptions.remove.client-user-ids",
    calls: [["unsubscribe", { subscriptions: ["Denmark"], principals: ["hamlet@example.com"] }]],
  },
  {
    name: "long text in the profile summary",
    rule: "profile-fields.create.client-summary",
    calls: [["createProfileField", { name: "Life", field_type: 2, display_in_profile_summary: true }]],
  },
  {
    name: "a person picker in the profile summary",
    rule: "profile-fields.create.client-summary",
    calls: [["createProfileField", { name: "Mentor", field_type: 6, display_in_profile_summary: true }]],
  },
  {
    name: "a linkifier with a template of Python",
    rule: "linkifiers.update.client-template",
    calls: [
      ["updateLinkifier", { filter_id: 3, pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/%(id)s" }],
    ],
  },
  {
    name: "a reminder in milliseconds",
    rule: "reminders.create.client-seconds",
    calls: [newest, ["createReminder", { message_id: 21, scheduled_delivery_timestamp: start + 3_600_000 }]],
  },
  {
    name: "a reminder in the past",
    rule: "reminders.create.client-future",
    calls: [newest, ["createReminder", { message_id: 21, scheduled_delivery_timestamp: start / 1000 - 3600 }]],
  },
  {
    name: "subgroups of a deactivated group",
    rule: "user-groups.update-subgroups.client-deactivated",
    level: 300,
    calls: [
      ["deactivateUserGroup", { user_group_id: 3 }],
      ["updateSubgroups", { user_group_id: 3, add: [4] }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "calls of an account that it has deactivated",
    rule: "users.deactivate-own.client-stops",
    calls: [["deactivateOwnUser"], ["getMessages", range, { status: 401, answer: { code: "UNAUTHORIZED" } }]],
  },
  {
    name: "a choice whose order is a number",
    rule: "profile-fields.create.client-choices",
    calls: [
      [
        "createProfileField",
        { field_type: 3, field_data: { 0: { text: "Tragedy", order: "1" }, 1: { text: "Comedy", order: 2 } } },
      ],
    ],
  },
  {
    name: "a choice without an order",
    rule: "profile-fields.create.client-choices",
    calls: [["createProfileField", { field_type: 3, field_data: { 0: { text: "Tragedy" } } }]],
  },
  {
    name: "a variable that the pattern lacks",
    rule: "linkifiers.update.client-groups",
    calls: [
      [
        "updateLinkifier",
        { filter_id: 3, pattern: "#(?P<id>[0-9]+)", url_template: "https://trac.example.com/{number}" },
      ],
    ],
  },
];
