import { createHash } from "node:crypto";
import { type Call, start } from "./exchanges.js";

/** A mistake of a client: what it sends and gets, and the one rule that it breaks. */
export interface PlantedMistake {
  readonly name: string;
  readonly rule: string;
  readonly calls: readonly Call[];
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const settings = (level?: number, others: object = {}): Call => [
  "getServerSettings",
  {},
  { answer: { ...(level === undefined ? {} : { service_feature_level: level }), ...others } },
];
const newest = settings(415);
const range = { anchor: "newest", num_before: 50, num_after: 0 };
const message = { id: 21, content: "<p>Who is there</p>", content_type: "text/html", display_recipient: "Denmark" };
const direct = { ...message, id: 22, display_recipient: [{ id: 9 }, { id: 10 }] };
const limited = (first: number | null) => ({
  code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
  first_message_id_allowed_to_move: first,
  total_messages_in_topic: 9,
  total_messages_allowed_to_move: first === null ? 0 : 3,
});
const tooMany = { code: "RATE_LIMIT_HIT" };
const device = {
  token_kind: "android",
  push_account_id: 7_261_930_482,
  push_public_key: "w8Z3Jn9o0mYdZ4tN7q3bq8u2m1Qh5Cq1y+0dXk7vJkA=",
  bouncer_public_key: "f2Qm6ZrT0h8pEwXK1cJ5uYb7sVnL3aGd9oRiHkPqMxU=",
  encrypted_push_registration: "b3XkT1u9Zb0v2Qq8sJmCwE7yLrN4hGdPaIo5fKxMzUcVtB6R+eWnSjHl/DgYpAOi",
};
const upload = (filename: string): Call => [
  "uploadFile",
  {},
  { answer: { url: "/user_uploads/2/ab/notes.txt", uri: "/user_uploads/2/ab/notes.txt", filename } },
];
const created: Call = [
  "createResumableUpload",
  {},
  {
    status: 201,
    answer: "",
    headers: { "tus-resumable": "1.0.0", "upload-length": "30000000" },
    responseHeaders: { location: "/api/v1/tus/24e533" },
  },
];

/** Mistakes that the requirements name or imply, each as the exchanges that show it. */
export const plantedMistakes: readonly PlantedMistake[] = [
  {
    name: "a new text and a new channel in one edit",
    rule: "messages.edit.client-content-alone",
    calls: [
      newest,
      ["editMessage", { message_id: 21, content: "Nobody", stream_id: 9 }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a new text for the whole topic",
    rule: "messages.edit.client-content-mode",
    calls: [["editMessage", { message_id: 21, content: "Nobody", propagate_mode: "change_all" }]],
  },
  {
    name: "a topic for a direct message that it has read",
    rule: "messages.edit.client-channel-messages",
    calls: [
      ["getMessages", range, { answer: { messages: [message, direct] } }],
      ["editMessage", { message_id: 22, topic: "castle" }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a channel for a direct message that it has read",
    rule: "messages.edit.client-channel-messages",
    calls: [
      newest,
      ["getMessages", range, { answer: { messages: [direct, message] } }],
      ["editMessage", { message_id: 22, stream_id: 4 }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a digest of the rendered content",
    rule: "messages.edit.client-digest",
    calls: [
      newest,
      ["getMessages", range, { answer: { messages: [message] } }],
      ["editMessage", { message_id: 21, content: "Nobody", prev_content_sha256: sha256(message.content) }],
    ],
  },
  {
    name: "the digest of the new content",
    rule: "messages.edit.client-digest-of-read",
    calls: [
      newest,
      [
        "getMessages",
        { ...range, apply_markdown: false },
        { answer: { messages: [{ ...message, content: "Who", content_type: "text/x-markdown" }] } },
      ],
      [
        "editMessage",
        { message_id: 21, content: "Nobody", prev_content_sha256: sha256("Nobody") },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a digest in base64",
    rule: "messages.edit.client-digest-form",
    calls: [
      newest,
      [
        "editMessage",
        { message_id: 21, content: "Nobody", prev_content_sha256: createHash("sha256").update("Who").digest("base64") },
      ],
    ],
  },
  {
    name: "a retry with the message that null names",
    rule: "messages.edit.limit-null",
    calls: [
      ["editMessage", { message_id: 21, topic: "castle", propagate_mode: "change_all" }, { answer: limited(null) }],
      [undefined, {}, { target: "/messages/null", method: "PATCH", answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a retry from the same message after the time limit",
    rule: "messages.edit.client-limit-retry",
    calls: [
      ["editMessage", { message_id: 21, topic: "castle", propagate_mode: "change_all" }, { answer: limited(25) }],
      ["editMessage", { message_id: 21, topic: "castle", propagate_mode: "change_later" }, { answer: limited(25) }],
    ],
  },
  {
    name: "the empty topic on an old server",
    rule: "messages.edit.client-empty-topic",
    level: 300,
    calls: [["editMessage", { message_id: 21, topic: "" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "muting the empty topic on an old server",
    rule: "topics.mute.client-empty-topic",
    level: 300,
    calls: [["updateMutedTopic", { stream_id: 9, topic: "", op: "add" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "resolving the empty topic",
    rule: "messages.edit.client-resolve-empty",
    calls: [
      [
        "editMessage",
        { message_id: 21, topic: "✔ ", propagate_mode: "change_all" },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a list of ids with an anchor",
    rule: "messages.get.client-ids-alone",
    calls: [newest, ["getMessages", { message_ids: [21], anchor: "newest" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "a list of ids with include_anchor",
    rule: "messages.get.client-ids-alone",
    calls: [newest, ["getMessages", { message_ids: [21], include_anchor: false }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "a list of ids with use_first_unread_anchor",
    rule: "messages.get.client-ids-alone",
    calls: [
      newest,
      ["getMessages", { message_ids: [21], use_first_unread_anchor: true }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a list of ids with the size of a range",
    rule: "messages.get.client-ids-alone",
    calls: [
      newest,
      ["getMessages", { message_ids: [21], num_before: 0, num_after: 0 }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "two anchors",
    rule: "messages.get.client-one-anchor",
    calls: [["getMessages", { ...range, use_first_unread_anchor: true }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "half a range",
    rule: "messages.get.client-range",
    calls: [["getMessages", { anchor: "newest", num_before: 20 }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "no range at all",
    rule: "messages.get.client-range",
    calls: [["getMessages", {}, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "a range of more messages than allowed",
    rule: "messages.get.client-at-most-5000",
    calls: [["getMessages", { anchor: 21, num_before: 3000, num_after: 3000 }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "more ids than allowed",
    rule: "messages.get.client-at-most-5000",
    calls: [
      newest,
      [
        "getMessages",
        { message_ids: Array.from({ length: 5001 }, (_, id) => id) },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a range of more messages than recommended",
    rule: "messages.get.recommended-1000",
    calls: [["getMessages", { anchor: "oldest", num_before: 0, num_after: 1001 }]],
  },
  {
    name: "an anchor rounded to a double",
    rule: "messages.get.client-exact-ids",
    calls: [
      [
        "getMessages",
        range,
        { answer: '{"result": "success", "msg": "", "anchor": 9007199254740993, "messages": []}' },
      ],
      ["getMessages", { anchor: 9007199254740992n, num_before: 50, num_after: 0 }],
    ],
  },
  {
    name: "an anchor in exponential notation",
    rule: "messages.get.client-exact-ids",
    calls: [
      [
        "getMessages",
        range,
        { answer: '{"result": "success", "msg": "", "anchor": 10000000000000000, "messages": []}' },
      ],
      ["getMessages", { anchor: "1e+16", num_before: 50, num_after: 0 }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "rounded ids in a list",
    rule: "messages.get.client-exact-ids",
    calls: [
      newest,
      ["getMessages", range, { answer: '{"result": "success", "msg": "", "messages": [{"id": 9007199254740995}]}' }],
      ["getMessages", { message_ids: [21, 9007199254740996] }],
    ],
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
    name: "a key in base64url",
    rule: "push.register.client-base64",
    calls: [
      newest,
      [
        "registerPushDevice",
        { ...device, push_public_key: device.push_public_key.replaceAll("+", "-") },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a ciphertext in base64url",
    rule: "push.register.client-base64",
    calls: [
      newest,
      [
        "registerPushDevice",
        { ...device, encrypted_push_registration: device.encrypted_push_registration.replaceAll("/", "_") },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
  },
  {
    name: "a key that is the base64 of hex digits",
    rule: "push.register.key-pair",
    calls: [newest, ["registerPushDevice", { ...device, push_public_key: base64(sha256("key")) }]],
  },
  {
    name: "a registration that is not encrypted",
    rule: "push.register.registration-key",
    calls: [
      newest,
      [
        "registerPushDevice",
        {
          ...device,
          encrypted_push_registration: base64('{"token": "c1b2", "token_kind": "android", "timestamp": 1767603600}'),
        },
      ],
    ],
  },
  {
    name: "one push_account_id for two accounts",
    rule: "push.register.account-id-unique",
    calls: [newest, ["registerPushDevice", device], ["registerPushDevice", device, { as: "hamlet" }]],
  },
  {
    name: "a device for a server without a push service",
    rule: "push.register.client-enabled",
    calls: [
      settings(415, { push_notifications_enabled: false }),
      ["registerPushDevice", device, { answer: { code: "PUSH_SERVICE_NOT_CONFIGURED" } }],
    ],
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
    name: "a large file without tus",
    rule: "uploads.create.large-files",
    calls: [["uploadFile", {}, { bodyBytes: 30_000_000 }]],
  },
  {
    name: "square brackets in a link",
    rule: "uploads.create.markdown-link-brackets",
    calls: [
      upload("act [1].txt"),
      ["editMessage", { message_id: 21, content: "See [act [1].txt](/user_uploads/2/ab/notes.txt)" }],
    ],
  },
  {
    name: "a part of an upload without a version of tus",
    rule: "uploads.tus.client-version",
    calls: [
      newest,
      created,
      [
        undefined,
        {},
        {
          target: "/tus/24e533",
          method: "PATCH",
          status: 412,
          answer: "",
          headers: { "upload-offset": "0" },
          bodyBytes: 30_000_000,
        },
      ],
    ],
  },
  {
    name: "a part of an upload at another offset than the server has",
    rule: "uploads.tus.client-offset",
    calls: [
      newest,
      created,
      [
        undefined,
        {},
        {
          target: "/tus/24e533",
          method: "HEAD",
          answer: "",
          headers: { "tus-resumable": "1.0.0" },
          responseHeaders: { "upload-offset": "1000000" },
        },
      ],
      [
        undefined,
        {},
        {
          target: "/tus/24e533",
          method: "PATCH",
          status: 409,
          answer: "",
          headers: { "tus-resumable": "1.0.0", "upload-offset": "2000000" },
        },
      ],
    ],
  },
  {
    name: "a repeat at once after a 429",
    rule: "limits.client-wait",
    calls: [
      [
        "getMessages",
        range,
        { at: 0, connection: 1, status: 429, answer: tooMany, responseHeaders: { "retry-after": "5" } },
      ],
      ["getMessages", range, { at: 0.2, connection: 1 }],
    ],
  },
  {
    name: "a repeat over another connection half a second after a 429",
    rule: "limits.client-wait",
    calls: [
      [
        "getMessages",
        range,
        { at: 0, connection: 1, status: 429, answer: tooMany, responseHeaders: { "retry-after": "5" } },
      ],
      ["getMessages", range, { at: 0.7, connection: 2 }],
    ],
  },
  {
    name: "a repeat a little too early after a 429",
    rule: "limits.client-wait",
    calls: [
      [
        "muteUser",
        { muted_user_id: 9 },
        { at: 0, status: 429, answer: tooMany, responseHeaders: { "retry-after": "5" } },
      ],
      ["muteUser", { muted_user_id: 9 }, { at: 4 }],
    ],
  },
  {
    name: "a repeat before the date of a 429",
    rule: "limits.client-wait",
    calls: [
      [
        "getMessages",
        range,
        {
          at: 0,
          status: 429,
          answer: tooMany,
          responseHeaders: { "retry-after": new Date(start + 30_000).toUTCString() },
        },
      ],
      ["getMessages", range, { at: 10 }],
    ],
  },
  {
    name: "a parameter that the level lacks",
    rule: "versioning.client-compares",
    level: 299,
    calls: [settings(299), ["getMessages", { message_ids: [21] }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "a form field that the level lacks",
    rule: "versioning.client-compares",
    level: 400,
    calls: [settings(400), ["createReminder", { message_id: 21, note: "Bring the skull" }]],
  },
  {
    name: "an operation that the level lacks",
    rule: "versioning.client-compares",
    level: 300,
    calls: [
      settings(300),
      [undefined, {}, { target: "/reminders", method: "POST", status: 404, answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a parameter that a server without a level lacks",
    rule: "versioning.no-level",
    level: 0,
    calls: [settings(), ["editMessage", { message_id: 21, topic: "castle", send_notification_to_old_thread: true }]],
  },
  {
    name: "a new feature without a look at the level",
    rule: "versioning.client-reads",
    calls: [["createReminder", { message_id: 21 }]],
  },
  {
    name: "a parameter that the server has reported as unsupported",
    rule: "conventions.client-ignored-parameters",
    calls: [
      ["muteUser", { muted_user_id: 9, silent: true }, { answer: { ignored_parameters_unsupported: ["silent"] } }],
      ["muteUser", { muted_user_id: 10, silent: true }, { answer: { ignored_parameters_unsupported: ["silent"] } }],
    ],
  },
  {
    name: "an upload without a length",
    rule: "uploads.tus.client-length",
    calls: [
      newest,
      [
        "createResumableUpload",
        {},
        { status: 400, answer: { code: "BAD_REQUEST" }, headers: { "tus-resumable": "1.0.0" } },
      ],
    ],
  },
  {
    name: "a file of 25,500,000 bytes",
    rule: "uploads.create.client-large-decimal",
    calls: [newest, ["uploadFile", {}, { bodyBytes: 25_500_000 }]],
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
  {
    name: "a topic that it resolves for one message",
    rule: "messages.edit.client-resolve-mode",
    calls: [["editMessage", { message_id: 21, topic: "✔ castle" }]],
  },
  {
    name: "an empty Android token",
    rule: "push.remove-android-token.client-token",
    calls: [["removeAndroidToken", { token: "" }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "an empty iOS token",
    rule: "push.add-ios-token.client-token",
    calls: [["addIosDeviceToken", { token: "", appid: "com.example.chat" }, { answer: { code: "BAD_REQUEST" } }]],
  },
];
