import { describe, expect, it } from "vitest";
import { differsInMarkOnly } from "../../../../../reference/chat/channels/topic-resolution.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { moveRefusal } from "../../../../../reference/chat/messages/edit-message/move-permission.js";

const off = /turned off/;
const resolve = /resolve/;
const topic = /topic$/;
const channel = /another channel/;

type Group = "resolve" | "topics" | "channels";

const cases: [
  what: string,
  given: { to?: string; from?: string; channel?: boolean; mode?: "change_one" | "change_later"; in: Group[] },
  refusal: RegExp | undefined,
  at?: { level?: number; editing?: 0 },
][] = [
  ["another topic, in the group", { to: "b", in: ["topics"] }, undefined],
  ["another topic, in the other groups", { to: "b", in: ["resolve", "channels"] }, topic],
  ["another channel, in the group", { channel: true, in: ["channels"] }, undefined],
  ["another channel, in the other groups", { channel: true, in: ["topics", "resolve"] }, channel],
  ["both, in both groups", { to: "b", channel: true, in: ["topics", "channels"] }, undefined],
  ["both, in the topics group", { to: "b", channel: true, in: ["topics"] }, channel],
  ["both, in the channels group", { to: "b", channel: true, in: ["channels"] }, topic],
  ["resolving, in the group", { to: "✔ a", in: ["resolve"] }, undefined],
  ["resolving, in the topics group", { to: "✔ a", in: ["topics"] }, resolve],
  ["unresolving, in the group", { from: "✔ a", to: "a", in: ["resolve"] }, undefined],
  ["unresolving, in the topics group", { from: "✔ a", to: "a", in: ["topics"] }, resolve],
  ["resolving before 367, in the topics group", { to: "✔ a", in: ["topics"] }, undefined, { level: 366 }],
  ["resolving before 367, in the resolving group", { to: "✔ a", in: ["resolve"] }, topic, { level: 366 }],
  ["resolving with one message, in the resolving group", { to: "✔ a", mode: "change_one", in: ["resolve"] }, topic],
  ["resolving with one message, in the topics group", { to: "✔ a", mode: "change_one", in: ["topics"] }, resolve],
  ["resolving with later ones, in both", { to: "✔ a", mode: "change_later", in: ["resolve", "topics"] }, undefined],
  ["renaming and resolving, in the resolving group", { to: "✔ b", in: ["resolve"] }, topic],
  ["renaming and resolving, in the topics group", { to: "✔ b", in: ["topics"] }, resolve],
  ["renaming and resolving, in both", { to: "✔ b", in: ["topics", "resolve"] }, undefined],
  ["renaming a resolved topic", { from: "✔ a", to: "✔ b", in: ["topics"] }, undefined],
  ["a message out of a resolved topic", { from: "✔ a", to: "b", mode: "change_one", in: ["topics"] }, undefined],
  ["resolving in another channel", { to: "✔ a", channel: true, in: ["channels", "topics"] }, undefined],
  ["another topic without editing", { to: "b", in: ["topics"] }, undefined, { editing: 0 }],
  ["another topic without editing before 159", { to: "b", in: ["topics"] }, off, { editing: 0, level: 158 }],
  ["another channel without editing before 159", { channel: true, in: ["channels"] }, off, { editing: 0, level: 158 }],
];

describe("moveRefusal", () => {
  it.each(cases)("%s", (_, given, want, { level = 415, editing = 1 as const } = {}) => {
    const {
      from: fromTopic = "a",
      to: toTopic = fromTopic,
      channel: changesChannel = false,
      mode = "change_all",
    } = given;
    const changesTopic = fromTopic !== toTopic;
    const isResolution = !changesChannel && mode === "change_all" && differsInMarkOnly(fromTopic, toTopic);
    const refusal = moveRefusal({
      settings: { allow_message_editing: editing },
      behaviour: behaviourAt(level),
      move: { fromTopic, toTopic, mode, changesChannel, changesTopic, isResolution },
      isIn: {
        canResolveTopics: given.in.includes("resolve"),
        canMoveBetweenTopics: given.in.includes("topics"),
        canMoveBetweenChannels: given.in.includes("channels"),
      },
    });
    if (want === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(want);
  });
});
