import { newest, range, tooMany } from "../example-calls.js";
import { type CleanSequence, start } from "../exchanges.js";

/** Sequences with rate limits, feature levels and unsupported parameters. */
export const conventionSequences: readonly CleanSequence[] = [
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
    name: "gets a 429 with a malformed Retry-After",
    calls: [
      ["getMessages", range, { at: 0, ...tooMany("soon") }],
      ["getMessages", range, { at: 0.2 }],
    ],
    keeps: [],
  },
  {
    name: "sends unsupported parameters to an operation other than the one that reported them",
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
    name: "sends a burst of equal requests before the first of them is refused",
    calls: [
      ["getMessages", range, { at: 0, took: 0.01, connection: 1, ...tooMany("1") }],
      ["getMessages", range, { at: 0.02, took: 0.01, connection: 2, ...tooMany("1") }],
      ["getMessages", range, { at: 0.2, took: 0.01, ...tooMany("1") }],
      ["getMessages", range, { at: 2 }],
    ],
    keeps: ["limits.client-wait"],
  },
];
