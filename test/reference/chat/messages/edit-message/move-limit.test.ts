import { describe, expect, it } from "vitest";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { limitBeforeSettings, moveLimit } from "../../../../../reference/chat/messages/edit-message/move-limit.js";
import { roles } from "../../../../../reference/chat/roles.js";

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
  ] as const)("%s", (_, limits, role, move, level, want) => {
    expect(moveLimit({ settings: limits, behaviour: behaviourAt(level), caller: { role }, move })).toEqual(want);
  });
});
