import { createHash } from "node:crypto";
import { type Call, start } from "./exchanges.js";

/** What a client does that keeps every rule. */
export interface CleanSequence {
  readonly name: string;
  readonly calls: readonly Call[];
  /** The rules that it could have broken. */
  readonly keeps: readonly string[];
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const newest: Call = [
  "getServerSettings",
  {},
  { answer: { service_feature_level: 415, push_notifications_enabled: true } },
];
const range = { anchor: "newest", num_before: 1000, num_after: 0 };
const html = { id: 21, content: "<p>Who is there</p>", content_type: "text/html", display_recipient: "Denmark" };
const raw = { ...html, content: "Who is there", content_type: "text/x-markdown" };
const direct = { ...html, id: 22, display_recipient: [{ id: 9 }, { id: 10 }] };
const limited = (first: number | null) => ({
  code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
  first_message_id_allowed_to_move: first,
});
const tooMany = (retryAfter: string) => ({
  status: 429,
  answer: { code: "RATE_LIMIT_HIT" },
  responseHeaders: { "retry-after": retryAfter },
});
const device = {
  token_kind: "ios",
  push_account_id: 7_261_930_482,
  push_public_key: "w8Z3Jn9o0mYdZ4tN7q3bq8u2m1Qh5Cq1y+0dXk7vJkA=",
  bouncer_public_key: "f2Qm6ZrT0h8pEwXK1cJ5uYb7sVnL3aGd9oRiHkPqMxU=",
  encrypted_push_registration: "b3XkT1u9Zb0v2Qq8sJmCwE7yLrN4hGdPaIo5fKxMzUcVtB6R+eWnSjHl/DgYpAOi",
};
const uploaded: Call = ["uploadFile", {}, { answer: { url: "/user_uploads/2/ab/act1.txt", filename: "act [1].txt" } }];
const part = (method: string, options: Call[2]): Call => [
  undefined,
  {},
  { target: "/tus/24e533", method, answer: "", headers: { "tus-resumable": "1.0.0" }, ...options },
];

function multipart(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join("")}--b--\r\n`;
}

/** Sequences of well-behaved clients, among them those in which the order or the times of exchanges are unusual. */
export const cleanSequences: readonly CleanSequence[] = [
  {
    name: "reads the level and uses what it has",
    calls: [
      newest,
      [
        "createReminder",
        { message_id: 21, note: "Bring the skull", scheduled_delivery_timestamp: start / 1000 + 3600 },
      ],
    ],
    keeps: ["versioning.client-reads", "reminders.create.client-seconds", "reminders.create.client-future"],
  },
  {
    name: "reads an old level and does without what is newer",
    level: 150,
    calls: [
      ["getServerSettings", {}, { answer: { service_feature_level: 150 } }],
      ["editMessage", { message_id: 21, topic: "castle", send_notification_to_old_thread: true }],
    ],
    keeps: ["versioning.client-compares", "versioning.client-reads", "messages.edit.client-empty-topic"],
  },
  {
    name: "reads a higher level after the server was updated",
    calls: [
      ["getServerSettings", {}, { answer: { service_feature_level: 150 } }],
      ["getMessages", range],
      newest,
      ["getMessages", { message_ids: [21] }],
    ],
    keeps: ["versioning.client-compares", "messages.get.client-range", "messages.get.client-ids-alone"],
  },
  {
    name: "uses a level while it reads a lower one",
    calls: [
      newest,
      ["getServerSettings", {}, { at: 5, took: 2, answer: { service_feature_level: 150 } }],
      ["getMessages", { message_ids: [21] }, { at: 6, took: 0.1 }],
    ],
    keeps: ["messages.get.client-ids-alone"],
  },
  {
    name: "reads different levels with two programs",
    calls: [
      newest,
      ["getServerSettings", {}, { answer: { service_feature_level: 150 } }],
      ["getServerSettings", {}, { answer: {} }],
      ["getMessages", { message_ids: [21] }],
      ["getMessages", range],
    ],
    keeps: ["versioning.client-compares", "versioning.no-level"],
  },
  {
    name: "uses nothing new on a server without a level",
    level: 0,
    calls: [
      ["getServerSettings", {}, { answer: {} }],
      ["editMessage", { message_id: 21, topic: "castle" }],
    ],
    keeps: ["versioning.no-level"],
  },
  {
    name: "repeats as late as the server asks",
    calls: [
      ["getMessages", range, { at: 0, ...tooMany("5") }],
      ["getMessages", range, { at: 5.1 }],
    ],
    keeps: ["limits.client-wait"],
  },
  {
    name: "repeats a few milliseconds early because its timer does",
    calls: [
      ["getMessages", range, { at: 0, took: 0, ...tooMany("5") }],
      ["getMessages", range, { at: 4.998 }],
    ],
    keeps: ["limits.client-wait"],
  },
  {
    name: "waits for a date of a server whose clock is an hour behind",
    calls: [
      [
        "getMessages",
        range,
        {
          at: 0,
          status: 429,
          answer: { code: "RATE_LIMIT_HIT" },
          responseHeaders: {
            date: new Date(start - 3_600_000).toUTCString(),
            "retry-after": new Date(start - 3_590_000).toUTCString(),
          },
        },
      ],
      ["getMessages", range, { at: 10.2 }],
    ],
    keeps: ["limits.client-wait"],
  },
  {
    name: "has several requests under way when one gets a 429",
    calls: [
      ["getMessages", range, { at: 0, took: 1, ...tooMany("60") }],
      ["getMessages", range, { at: 0.5, took: 1, ...tooMany("60") }],
      ["getMessages", range, { at: 0.9, took: 3 }],
    ],
    keeps: [],
  },
  {
    name: "sends other requests while it waits",
    calls: [
      ["muteUser", { muted_user_id: 9 }, { at: 0, ...tooMany("60") }],
      ["muteUser", { muted_user_id: 10 }, { at: 1 }],
      ["muteUser", { muted_user_id: 9 }, { at: 2, as: "hamlet" }],
    ],
    keeps: [],
  },
  {
    name: "waits while the clock is set back by an hour",
    calls: [
      ["getMessages", range, { at: 7200, ...tooMany("5") }],
      ["getMessages", range, { at: 3606 }],
    ],
    keeps: [],
  },
  {
    name: "waits while the clock is set forward",
    calls: [
      ["getMessages", range, { at: 0, ...tooMany("5") }],
      ["getMessages", range, { at: 7200 }],
    ],
    keeps: ["limits.client-wait"],
  },
  {
    name: "gets a 503 with a malformed Retry-After",
    calls: [
      ["getMessages", range, { at: 0, ...tooMany("soon") }],
      ["getMessages", range, { at: 0.2 }],
    ],
    keeps: [],
  },
  {
    name: "edits with the digest of the raw content after it read both forms",
    calls: [
      newest,
      ["getMessages", range, { answer: { messages: [html] } }],
      ["getMessages", { ...range, apply_markdown: false }, { answer: { messages: [raw] } }],
      ["editMessage", { message_id: 21, content: "Nobody", prev_content_sha256: sha256(raw.content).toUpperCase() }],
    ],
    keeps: ["messages.edit.client-digest", "messages.edit.client-digest-form", "messages.edit.client-content-alone"],
  },
  {
    name: "names the content that it read last, which another user has changed since",
    calls: [
      newest,
      ["getMessages", { ...range, apply_markdown: false }, { answer: { messages: [{ ...raw, content: "Who" }] } }],
      ["getMessages", { ...range, apply_markdown: false }, { answer: { messages: [raw] } }],
      [
        "editMessage",
        { message_id: 21, content: "Nobody", prev_content_sha256: sha256(raw.content) },
        { answer: { code: "BAD_REQUEST" } },
      ],
    ],
    keeps: ["messages.edit.client-digest-of-read"],
  },
  {
    name: "edits the text of a direct message and moves another message",
    calls: [
      ["getMessages", range, { answer: { messages: [html, direct] } }],
      ["editMessage", { message_id: 22, content: "Nobody", propagate_mode: "change_one" }],
      ["editMessage", { message_id: 21, topic: "castle", propagate_mode: "change_all" }],
    ],
    keeps: ["messages.edit.client-channel-messages", "messages.edit.client-content-mode"],
  },
  {
    name: "moves a message with the id that a direct message had before the data were replaced",
    calls: [
      ["getMessages", range, { answer: { messages: [direct] } }],
      ["editMessage", { message_id: 22, topic: "castle" }],
    ],
    keeps: [],
  },
  {
    name: "moves what another user knows as a direct message",
    calls: [
      ["getMessages", range, { answer: { messages: [direct] } }],
      ["editMessage", { message_id: 22, topic: "castle" }, { as: "hamlet", answer: { code: "BAD_REQUEST" } }],
    ],
    keeps: [],
  },
  {
    name: "moves the rest of a topic after the time limit",
    calls: [
      ["editMessage", { message_id: 21, topic: "castle", propagate_mode: "change_all" }, { answer: limited(25) }],
      ["editMessage", { message_id: 25, topic: "castle", propagate_mode: "change_later" }],
      ["editMessage", { message_id: 21, topic: "garden", propagate_mode: "change_all" }, { answer: limited(null) }],
      ["editMessage", { message_id: 21, topic: "garden" }],
    ],
    keeps: ["messages.edit.client-limit-retry", "messages.edit.limit-null"],
  },
  {
    name: "sends large ids as it received them",
    calls: [
      newest,
      [
        "getMessages",
        range,
        {
          answer:
            '{"result": "success", "msg": "", "anchor": 9007199254740993, "messages": [{"id": 9007199254740992}]}',
        },
      ],
      ["getMessages", { anchor: 9007199254740992n, num_before: 0, num_after: 10 }],
      ["getMessages", { anchor: 9007199254740993n, num_before: 0, num_after: 10 }],
      ["getMessages", { anchor: 9007199254740997n, num_before: 0, num_after: 10 }],
    ],
    keeps: ["messages.get.client-exact-ids"],
  },
  {
    name: "sends an id that another number of 16 digits contains",
    calls: [
      [
        "getMessages",
        range,
        { answer: '{"result": "success", "msg": "", "hash": "9007199254740993", "x": 1.9007199254740993}' },
      ],
      ["getMessages", { anchor: 9007199254740992n, num_before: 0, num_after: 10 }],
    ],
    keeps: ["messages.get.recommended-1000"],
  },
  {
    name: "asks for both halves of a range",
    calls: [["getMessages", { use_first_unread_anchor: true, num_before: 500, num_after: 500 }]],
    keeps: ["messages.get.recommended-1000", "messages.get.client-one-anchor", "messages.get.client-at-most-5000"],
  },
  {
    name: "registers devices of several accounts, and one again",
    calls: [
      newest,
      ["registerPushDevice", device],
      ["registerPushDevice", { ...device, push_account_id: 881_726_354 }, { as: "hamlet" }],
      ["registerPushDevice", device],
    ],
    keeps: [
      "push.register.account-id-unique",
      "push.register.key-pair",
      "push.register.registration-key",
      "push.register.client-base64",
      "push.register.client-enabled",
    ],
  },
  {
    name: "registers a device whose ciphertext begins with a brace",
    calls: [
      newest,
      [
        "registerPushDevice",
        { ...device, encrypted_push_registration: "e7Z3Jn9o0mYdZ4tN7q3bq8u2m1Qh5Cq1y+0dXk7vJkA=" },
      ],
    ],
    keeps: ["push.register.registration-key"],
  },
  {
    name: "registers no device where the settings say that push notifications are disabled",
    calls: [
      ["getServerSettings", {}, { answer: { service_feature_level: 415, push_notifications_enabled: false } }],
      newest,
      ["registerPushDevice", device],
    ],
    keeps: ["push.register.client-enabled"],
  },
  {
    name: "drops square brackets from a link, and writes others as they are",
    calls: [
      uploaded,
      [
        "editMessage",
        { message_id: 21, content: "[see] [act 1.txt](/user_uploads/2/ab/act1.txt) and [act [1].txt](/elsewhere)" },
      ],
    ],
    keeps: ["uploads.create.markdown-link-brackets", "uploads.create.large-files"],
  },
  {
    name: "resumes an upload",
    calls: [
      newest,
      [
        "createResumableUpload",
        {},
        {
          status: 201,
          answer: "",
          headers: { "tus-resumable": "1.0.0", "upload-length": "30000000" },
          responseHeaders: { location: "/api/v1/tus/24e533" },
        },
      ],
      part("PATCH", { headers: { "tus-resumable": "1.0.0", "upload-offset": "0" }, answer: null }),
      part("HEAD", { responseHeaders: { "upload-offset": "700" } }),
      part("PATCH", {
        headers: { "tus-resumable": "1.0.0", "upload-offset": "700" },
        status: 204,
        responseHeaders: { "upload-offset": "900" },
      }),
      part("PATCH", { headers: { "tus-resumable": "1.0.0", "upload-offset": "900" }, answer: null }),
      part("HEAD", { responseHeaders: { "upload-offset": "900" } }),
      part("PATCH", {
        headers: { "tus-resumable": "1.0.0", "upload-offset": "900" },
        status: 204,
        responseHeaders: { "upload-offset": "999" },
      }),
    ],
    keeps: ["uploads.tus.client-version", "uploads.tus.client-offset"],
  },
  {
    name: "sends unsupported parameters to another operation than the one that reported them",
    calls: [
      ["muteUser", { muted_user_id: 9, silent: true }, { answer: { ignored_parameters_unsupported: ["silent"] } }],
      ["muteUser", { muted_user_id: 10 }],
      ["unsubscribe", { subscriptions: ["Denmark"], silent: true, principals: [9] }],
    ],
    keeps: ["conventions.client-ignored-parameters", "subscriptions.remove.client-user-ids"],
  },
  {
    name: "deactivates an account and goes on with another",
    calls: [["deactivateOwnUser"], ["getMessages", range, { as: "hamlet" }]],
    keeps: [],
  },
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
    name: "resolves a topic",
    calls: [["editMessage", { message_id: 21, topic: "✔ castle", propagate_mode: "change_all" }]],
    keeps: ["messages.edit.client-resolve-empty"],
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
    name: "calls what the contract does not describe, and gets no response",
    calls: [
      [undefined, {}, { target: "/register", method: "POST" }],
      [undefined, {}, { target: "/events?queue_id=1", answer: null }],
      [undefined, {}, { target: "/messages/21", method: "GET", status: 404, answer: "" }],
      ["getMessages", range, { answer: null }],
    ],
    keeps: ["messages.get.client-range"],
  },
  {
    name: "uploads a part of a file whose length it does not know, and joins parts",
    calls: [
      newest,
      ["createResumableUpload", {}, { status: 201, answer: "", headers: { "upload-defer-length": "1" } }],
      [
        "createResumableUpload",
        {},
        { status: 201, answer: "", headers: { "upload-length": "9", "upload-concat": "partial" } },
      ],
      [
        "createResumableUpload",
        {},
        { status: 201, answer: "", headers: { "upload-concat": "final;/api/v1/tus/1 /api/v1/tus/2" } },
      ],
      ["createResumableUpload", {}, { status: 201, answer: "", headers: { "upload-length": "0" } }],
    ],
    keeps: ["uploads.tus.client-length"],
  },
  {
    name: "uploads a file just below 25 MB",
    calls: [newest, ["uploadFile", {}, { bodyBytes: 25_000_300 }]],
    keeps: ["uploads.create.client-large-decimal", "uploads.create.large-files"],
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
  {
    name: "resolves a topic and moves messages into a resolved one of another channel",
    calls: [
      newest,
      ["editMessage", { message_id: 21, topic: "✔ castle", propagate_mode: "change_all" }],
      ["editMessage", { message_id: 22, topic: "✔ castle", stream_id: 4, propagate_mode: "change_one" }],
    ],
    keeps: ["messages.edit.client-resolve-mode"],
  },
  {
    name: "sends a burst of equal requests before the first of them is refused",
    calls: [
      ["getMessages", range, { at: 0, took: 0.01, connection: 1, ...tooMany("1") }],
      ["getMessages", range, { at: 0.02, took: 0.01, connection: 2, ...tooMany("1") }],
      ["getMessages", range, { at: 0.2, took: 0.01, ...tooMany("1") }],
      ["getMessages", range, { at: 2 }],
    ],
    keeps: ["limits.client-wait"],
  },
  {
    name: "adds and removes device tokens",
    calls: [
      ["addIosDeviceToken", { token: "1fe40a7707bebcf7", appid: "com.example.chat" }],
      ["removeAndroidToken", { token: "c0ffee:APA91b" }],
    ],
    keeps: ["push.add-ios-token.client-token", "push.remove-android-token.client-token"],
  },
];
