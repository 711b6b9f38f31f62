import { createHash } from "node:crypto";
import { direct, html, limited, newest, range, raw, sha256 } from "../example-calls.js";
import type { PlantedMistake } from "../exchanges.js";

/** Mistakes in requests for messages and in edits. */
export const messageMistakes: readonly PlantedMistake[] = [
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
      ["getMessages", range, { answer: { messages: [html, direct] } }],
      ["editMessage", { message_id: 22, topic: "castle" }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a channel for a direct message that it has read",
    rule: "messages.edit.client-channel-messages",
    calls: [
      newest,
      ["getMessages", range, { answer: { messages: [direct, html] } }],
      ["editMessage", { message_id: 22, stream_id: 4 }, { answer: { code: "BAD_REQUEST" } }],
    ],
  },
  {
    name: "a digest of the rendered content",
    rule: "messages.edit.client-digest",
    calls: [
      newest,
      ["getMessages", range, { answer: { messages: [html] } }],
      ["editMessage", { message_id: 21, content: "Nobody", prev_content_sha256: sha256(html.content) }],
    ],
  },
  {
    name: "the digest of the new content",
    rule: "messages.edit.client-digest-of-read",
    calls: [
      newest,
      ["getMessages", { ...range, apply_markdown: false }, { answer: { messages: [{ ...raw, content: "Who" }] } }],
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
    calls: [["getMessages", { anchor: 21, num_before: 5001, num_after: 0 }, { answer: { code: "BAD_REQUEST" } }]],
  },
  {
    name: "more messages than allowed before and after the anchor together",
    rule: "messages.get.client-sum-of-numbers",
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
    name: "a topic that it resolves for one message",
    rule: "messages.edit.client-resolve-mode",
    calls: [["editMessage", { message_id: 21, topic: "✔ castle" }]],
  },
];
