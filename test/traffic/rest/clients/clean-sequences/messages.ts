import { direct, html, limited, newest, range, raw, sha256 } from "../example-calls.js";
import type { CleanSequence } from "../exchanges.js";

/** Sequences of requests for messages and of edits. */
export const messageSequences: readonly CleanSequence[] = [
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
    keeps: [
      ...["messages.get.recommended-1000", "messages.get.client-one-anchor", "messages.get.client-at-most-5000"],
      "messages.get.client-sum-of-numbers",
    ],
  },
  {
    name: "resolves a topic",
    calls: [["editMessage", { message_id: 21, topic: "✔ castle", propagate_mode: "change_all" }]],
    keeps: ["messages.edit.client-resolve-empty"],
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
    name: "resolves a topic and moves messages into a resolved one of another channel",
    calls: [
      newest,
      ["editMessage", { message_id: 21, topic: "✔ castle", propagate_mode: "change_all" }],
      ["editMessage", { message_id: 22, topic: "✔ castle", stream_id: 4, propagate_mode: "change_one" }],
    ],
    keeps: ["messages.edit.client-resolve-mode"],
  },
];
