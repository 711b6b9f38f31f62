import { describe, expect, it } from "vitest";
import { differsInMarkOnly } from "../../../../../reference/chat/channels/topics.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import {
  contentRefusal,
  moveLimit,
  moveRefusal,
} from "../../../../../reference/chat/messages/edit-message/permissions.js";
import { roles } from "../../../../../reference/chat/roles.js";

// The contract shows the rules; these are the combinations and bounds that it leaves out.

describe("contentRefusal", () => {
  it.each([
    [600, 600, undefined],
    [600, 601, /time limit/],
    [0, 0, undefined],
    [0, 1, /time limit/],
  ])("with a limit of %i seconds, judges a message of %i seconds", (limit, ageSeconds, want) => {
    const settings = { allow_message_editing: true, message_content_edit_limit_seconds: limit };
    expect(contentRefusal({ settings, isSender: true, ageSeconds }) ?? "").toMatch(want ?? /^$/);
  });
});

const resolve = /resolve/;
const topic = /topic$/;
const allowed = /^$/;

type Group = "resolve" | "topics" | "channels";
interface GivenMove {
  readonly to?: string;
  readonly from?: string;
  readonly channel?: boolean;
  readonly mode?: "change_one" | "change_later";
  readonly level?: number;
}

describe("moveRefusal", () => {
  it.each<[what: string, move: GivenMove, groups: Group[], want: RegExp]>([
    ["resolving before 367", { to: "✔ a", level: 366 }, ["topics"], allowed],
    ["resolving before 367", { to: "✔ a", level: 366 }, ["resolve"], topic],
    ["resolving with one message", { to: "✔ a", mode: "change_one" }, ["resolve"], topic],
    ["resolving with one message", { to: "✔ a", mode: "change_one" }, ["topics"], resolve],
    ["resolving with later ones", { to: "✔ a", mode: "change_later" }, ["resolve", "topics"], allowed],
    ["renaming and resolving", { to: "✔ b" }, ["resolve"], topic],
    ["renaming and resolving", { to: "✔ b" }, ["topics"], resolve],
    ["renaming and resolving", { to: "✔ b" }, ["topics", "resolve"], allowed],
    ["renaming a resolved topic", { from: "✔ a", to: "✔ b" }, ["topics"], allowed],
    ["a message out of a resolved topic", { from: "✔ a", to: "b", mode: "change_one" }, ["topics"], allowed],
    ["resolving in another channel", { to: "✔ a", channel: true }, ["channels", "topics"], allowed],
  ])("judges %s (%j) in the groups %j", (_, given, groups, want) => {
    const { from: fromTopic = "a", channel: changesChannel = false, mode = "change_all" } = given;
    const { to: toTopic = fromTopic, level = 415 } = given;
    const isResolution = !changesChannel && mode === "change_all" && differsInMarkOnly(fromTopic, toTopic);
    const refusal = moveRefusal({
      settings: { allow_message_editing: true },
      behaviour: behaviourAt(level),
      move: { fromTopic, toTopic, mode, changesChannel, changesTopic: fromTopic !== toTopic, isResolution },
      isIn: {
        canResolveTopics: groups.includes("resolve"),
        canMoveBetweenTopics: groups.includes("topics"),
        canMoveBetweenChannels: groups.includes("channels"),
      },
    });
    expect(refusal ?? "").toMatch(want);
  });
});

describe("moveLimit", () => {
  it.each([
    [367, undefined],
    [366, { seconds: 60, exemptsOwn: false }],
  ])("of a resolution at level %i is %j", (level, want) => {
    const settings = {
      move_messages_within_stream_limit_seconds: 60,
      move_messages_between_streams_limit_seconds: 90,
    };
    const move = { changesChannel: false, isResolution: true };
    expect(moveLimit({ settings, behaviour: behaviourAt(level), caller: { role: roles.member }, move })).toEqual(want);
  });
});
