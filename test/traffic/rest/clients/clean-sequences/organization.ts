import { range } from "../example-calls.js";
import type { CleanSequence } from "../exchanges.js";

function multipart(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--b--\r\n`;
}

/** Sequences of calls about topics, users, groups and settings. */
export const organizationSequences: readonly CleanSequence[] = [
  {
    name: "uses an account that was activated again",
    calls: [
      ["deactivateOwnUser"],
      ["getMessages", range],
      ["getMessages", { ...range, anchor: "oldest" }, { status: 401, answer: { code: "UNAUTHORIZED" } }],
    ],
    keeps: ["users.deactivate-own.client-stops"],
  },
  {
    name: "changes the subgroups of a group that was activated again",
    level: 300,
    calls: [
      ["deactivateUserGroup", { user_group_id: 3 }],
      ["updateSubgroups", { user_group_id: 3, add: [4] }],
    ],
    keeps: ["user-groups.update-subgroups.client-deactivated"],
  },
  {
    name: "loads icons at the base URL",
    calls: [
      [
        "getServerSettings",
        {},
        {
          answer: {
            external_authentication_methods: [{ display_icon: "/static/guild.png" }, { display_icon: "static/b.svg" }],
          },
        },
      ],
      [undefined, {}, { as: undefined, outside: "/static/guild.png" }],
      [undefined, {}, { as: undefined, outside: "/static/b.svg" }],
    ],
    keeps: ["server-settings.get.display-icon-base"],
  },
  {
    name: "mutes a topic with a name on an old server",
    level: 300,
    calls: [["updateMutedTopic", { stream_id: 9, topic: "castle", op: "add" }]],
    keeps: ["topics.mute.client-empty-topic"],
  },
  {
    name: "mutes topics of channels by their ids",
    calls: [["updateMutedTopic", { stream_id: 9, topic: "", op: "add" }]],
    keeps: ["topics.mute.client-channel", "topics.mute.client-channel-id"],
  },
  {
    name: "writes a template of RFC 6570",
    calls: [
      [
        "updateLinkifier",
        { filter_id: 3, pattern: "#(?P<id>[0-9]+)", url_template: "https://example.com/a%20b/{id}{?id}{+id}" },
      ],
    ],
    keeps: ["linkifiers.update.client-template"],
  },
  {
    name: "displays a list of options in the profile summary",
    calls: [
      ["createProfileField", { name: "Play", field_type: 3, display_in_profile_summary: true }],
      ["createProfileField", { name: "Life", field_type: 2, display_in_profile_summary: false }],
    ],
    keeps: ["profile-fields.create.client-summary"],
  },
  {
    name: "sends a form that was not recorded",
    calls: [
      ["updateMutedTopic", {}, { bodyBytes: 2_000_000 }],
      ["updateMutedTopic", {}, { bodyBytes: 20, headers: { "content-type": "application/x-www-form-urlencoded" } }],
      [
        "updateMutedTopic",
        {},
        { body: '{"topic":"castle","op":"add","stream_id":9}', headers: { "content-type": "application/json" } },
      ],
      ["updateMutedTopic", {}, { body: "\u001f\u008b", headers: { "content-encoding": "gzip" } }],
    ],
    keeps: [],
  },
  {
    name: "sends a multipart form",
    calls: [
      [
        "updateMutedTopic",
        { stream_id: 9, topic: "castle", op: "add" },
        {
          body: multipart({ stream_id: "9", topic: "castle", op: "add" }),
          headers: { "content-type": "multipart/form-data; boundary=b" },
        },
      ],
    ],
    keeps: ["topics.mute.client-channel", "topics.mute.client-channel-id"],
  },
  {
    name: "creates a list of options, and fields of other types",
    calls: [
      ["createProfileField", { field_type: 3, field_data: { 0: { text: "Tragedy", order: "1", hint: 4 } } }],
      ["createProfileField", { field_type: 7, field_data: { subtype: "custom", order: 1 } }],
    ],
    keeps: ["profile-fields.create.client-choices"],
  },
  {
    name: "writes templates with every operator",
    calls: [
      [
        "updateLinkifier",
        {
          filter_id: 3,
          pattern: "(?P<repo>[a-z]+)#(?<id>[0-9]+)",
          url_template: "https://example.com{/repo}{?id}{&id}",
        },
      ],
      [
        "updateLinkifier",
        {
          filter_id: 3,
          pattern: "(?P<repo>[a-z]+)#(?P<id>[0-9]+)",
          url_template: "https://example.com/{+repo,id:3}{#id*}",
        },
      ],
    ],
    keeps: ["linkifiers.update.client-groups", "linkifiers.update.client-template"],
  },
];
