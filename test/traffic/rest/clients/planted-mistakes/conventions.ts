import { range, settings, tooMany } from "../example-calls.js";
import { type PlantedMistake, start } from "../exchanges.js";

/** Mistakes with rate limits, feature levels and unsupported parameters. */
export const conventionMistakes: readonly PlantedMistake[] = [
  {
    name: "a repeat at once after a 429",
    rule: "limits.client-wait",
    calls: [
      ["getMessages", range, { at: 0, connection: 1, ...tooMany("5") }],
      ["getMessages", range, { at: 0.2, connection: 1 }],
    ],
  },
  {
    name: "a repeat over another connection half a second after a 429",
    rule: "limits.client-wait",
    calls: [
      ["getMessages", range, { at: 0, connection: 1, ...tooMany("5") }],
      ["getMessages", range, { at: 0.7, connection: 2 }],
    ],
  },
  {
    name: "a repeat a little too early after a 429",
    rule: "limits.client-wait",
    calls: [
      ["muteUser", { muted_user_id: 9 }, { at: 0, ...tooMany("5") }],
      ["muteUser", { muted_user_id: 9 }, { at: 4 }],
    ],
  },
  {
    name: "a repeat before the date of a 429",
    rule: "limits.client-wait",
    calls: [
      ["getMessages", range, { at: 0, ...tooMany(new Date(start + 30_000).toUTCString()) }],
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
];
