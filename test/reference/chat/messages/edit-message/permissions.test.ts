import { describe, expect, it } from "vitest";
import { differsInMarkOnly } from "../../../../../reference/chat/channels/topics.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import {
  contentRefusal,
  limitBeforeSettings,
  moveLimit,
  moveRefusal,
} from "../../../../../reference/chat/messages/edit-message/permissions.js";
import { roles } from "../../../../../reference/chat/roles.js";

const off = /turned off/;
const notYours = /permission/;
const late = /time limit/;

describe("contentRefusal", () => {
  it.each([
    { allowed: true, limit: null, isSender: true, ageSeconds: 1e9, refusal: undefined },
    { allowed: true, limit: 600, isSender: true, ageSeconds: 600, refusal: undefined },
    { allowed: true, limit: 600, isSender: true, ageSeconds: 601, refusal: late },
    { allowed: true, limit: 0, isSender: true, ageSeconds: 0, refusal: undefined },
    { allowed: true, limit: 0, isSender: true, ageSeconds: 1, refusal: late },
    { allowed: true, limit: null, isSender: false, ageSeconds: 0, refusal: notYours },
    { allowed: false, limit: null, isSender: true, ageSeconds: 0, refusal: off },
    { allowed: false, limit: null, isSender: false, ageSeconds: 0, refusal: off },
  ] as const)("returns $refusal for allowed $allowed, limit $limit, sender $isSender, age $ageSeconds", (given) => {
    const settings = { allow_message_editing: given.allowed, message_content_edit_limit_seconds: given.limit };
    const refusal = contentRefusal({ settings, isSender: given.isSender, ageSeconds: given.ageSeconds });
    if (given.refusal === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(given.refusal);
  });
});

const resolve = /resolve/;
const topic = /topic$/;
const channel = /another channel/;

type Group = "resolve" | "topics" | "channels";

const cases: [
  what: string,
  given: { to?: string; from?: string; channel?: boolean; mode?: "change_one" | "change_later"; in: Group[] },
  refusal: RegExp | undefined,
  at?: { level?: number; editing?: false },
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
  ["another topic without editing", { to: "b", in: ["topics"] }, undefined, { editing: false }],
  ["another topic without editing before 159", { to: "b", in: ["topics"] }, off, { editing: false, level: 158 }],
  [
    "another channel without editing before 159",
    { channel: true, in: ["channels"] },
    off,
    { editing: false, level: 158 },
  ],
];

describe("moveRefusal", () => {
  it.each(cases)("judges %s", (_, given, want, { level = 415, editing = true as const } = {}) => {
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

const settings = (topics: number | null, channels: number | null) => ({
  move_messages_within_stream_limit_seconds: topics,
  move_messages_between_streams_limit_seconds: channels,
});
const toTopic = { changesChannel: false, isResolution: false };
const toChannel = { changesChannel: true, isResolution: false };
const resolution = { changesChannel: false, isResolution: true };
const limited = (seconds: number) => ({ seconds, exemptsOwn: false });

describe("moveLimit", () => {
  it.each([
    ["to a topic", settings(60, 90), roles.member, toTopic, 415, limited(60)],
    ["to a channel", settings(60, 90), roles.member, toChannel, 415, limited(90)],
    ["to a topic without limit", settings(null, 90), roles.member, toTopic, 415, undefined],
    ["to a channel without limit", settings(60, null), roles.member, toChannel, 415, undefined],
    ["by a guest", settings(60, 90), roles.guest, toTopic, 415, limited(60)],
    ["by a moderator", settings(60, 90), roles.moderator, toTopic, 415, undefined],
    ["by an administrator", settings(60, 90), roles.administrator, toChannel, 415, undefined],
    ["by an owner", settings(60, 90), roles.owner, toChannel, 415, undefined],
    ["a resolution", settings(60, 90), roles.member, resolution, 367, undefined],
    ["a resolution before 367", settings(60, 90), roles.member, resolution, 366, limited(60)],
    ["at 162", settings(60, 90), roles.member, toTopic, 162, limited(60)],
    [
      "before 162",
      settings(null, null),
      roles.member,
      toTopic,
      161,
      { seconds: limitBeforeSettings, exemptsOwn: true },
    ],
    ["before 162, by a moderator", settings(60, 90), roles.moderator, toTopic, 161, undefined],
  ] as const)("judges a move %s", (_, limits, role, move, level, want) => {
    expect(moveLimit({ settings: limits, behaviour: behaviourAt(level), caller: { role }, move })).toEqual(want);
  });
});
