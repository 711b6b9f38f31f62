import { describe, expect, it } from "vitest";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { requestedChanges } from "../../../../../reference/chat/messages/edit-message/requested-changes.js";

const inChannel = { channel_id: 7, topic: "Castle", content: "Who is there" };
const direct = { channel_id: null, topic: "", content: "Who is there" };
const inEmptyTopic = { ...inChannel, topic: "" };
const realm = { topics_required: false, empty_topic_display_name: "general chat" } as const;
const topicsRequired = { ...realm, topics_required: true } as const;

type Target = { readonly channel_id: number | null; readonly topic: string; readonly content: string };
type Settings = { readonly topics_required: boolean; readonly empty_topic_display_name: string };

function changes(
  parameters: Omit<Parameters<typeof requestedChanges>[0], "message_id">,
  target: Target = inChannel,
  level = 415,
  settings: Settings = realm,
) {
  return requestedChanges({ message_id: 1, ...parameters }, target, settings, behaviourAt(level));
}

describe("requestedChanges", () => {
  it.each([
    ["nothing", {}, /Nothing/],
    ["a mode alone", { propagate_mode: "change_all" }, /Nothing/],
    ["a digest alone", { prev_content_sha256: "00" }, /Nothing/],
    ["the topic that it has", { topic: "Castle" }, /Nothing/],
    ["the channel that it has", { stream_id: 7 }, /Nothing/],
    ["the content that it has", { content: "Who is there" }, /Nothing/],
    ["content and channel", { content: "x", stream_id: 8 }, /while changing channel/],
    ["content and the channel that it has", { content: "x", stream_id: 7 }, /while changing channel/],
    ["content for later messages", { content: "x", propagate_mode: "change_later" }, /propagate_mode/],
    [
      "content and the same topic for all",
      { content: "x", topic: "Castle", propagate_mode: "change_all" },
      /propagate_mode/,
    ],
    ["a topic of 61 characters", { topic: "🏰".repeat(61) }, /longer than 60/],
    ["a resolved topic that is too long", { topic: `✔ ${"x".repeat(59)}` }, /longer than 60/],
    ["content of 10001 characters", { content: "🏰".repeat(10_001) }, /longer than 10000/],
    ["a topic with a line break", { topic: "a\nb" }, /character/],
    ["the check mark alone", { topic: "✔ " }, /resolved/],
    ["the check mark before the display name", { topic: "✔ General chat" }, /resolved/],
  ] as const)("refuses %s", (_, parameters, msg) => {
    expect(() => changes(parameters)).toThrow(msg);
  });

  it.each([
    ["a topic", { topic: "x" }, /topics/],
    ["a channel", { stream_id: 7 }, /channels/],
    ["content for all", { content: "x", propagate_mode: "change_all" }, /propagate_mode/],
  ] as const)("refuses %s for a direct message", (_, parameters, msg) => {
    expect(() => changes(parameters, direct)).toThrow(msg);
  });

  it.each([
    ["", 415],
    ["  ", 415],
    ["General Chat", 415],
    ["(no topic)", 415],
    ["(No Topic)", 100],
    ["", 333],
  ])("refuses topic %j where topics are required, at level %i", (topic, level) => {
    expect(() => changes({ topic }, inChannel, level, topicsRequired)).toThrow(/BAD_REQUEST/);
  });

  it.each([
    ["", 415, ""],
    ["General Chat", 415, ""],
    ["General Chat", 333, "General Chat"],
    ["(no topic)", 415, "(no topic)"],
    ["  moat ", 415, "moat"],
    ["castle", 415, "castle"],
    ["🏰".repeat(60), 415, "🏰".repeat(60)],
  ])("reads topic %j at level %i as %j", (topic, level, toTopic) => {
    expect(changes({ topic }, inChannel, level)).toMatchObject({
      content: undefined,
      move: { fromTopic: "Castle", toTopic, changesTopic: true, changesChannel: false, isResolution: false },
    });
  });

  it("refuses the empty topic before level 334", () => {
    expect(() => changes({ topic: "" }, inChannel, 333)).toThrow(/empty/);
  });

  it.each([
    ["resolving", "Castle", "✔ Castle", "change_all", true],
    ["unresolving", "✔ Castle", "Castle", "change_all", true],
    ["one message", "Castle", "✔ Castle", "change_one", false],
    ["another name", "Castle", "✔ castle", "change_all", false],
    ["a second mark", "✔ Castle", "✔ ✔ Castle", "change_all", false],
  ] as const)("recognizes a resolution: %s", (_, from, topic, mode, isResolution) => {
    const target = { ...inChannel, topic: from };
    expect(changes({ topic, propagate_mode: mode }, target).move).toMatchObject({ isResolution });
  });

  it("changes content and topic together, for all messages of the topic", () => {
    const both = changes({ content: "Long live the king", topic: "moat", propagate_mode: "change_all" });
    expect(both).toMatchObject({ content: "Long live the king", move: { mode: "change_all" } });
  });

  it("reads white space as deleted content, and counts code points", () => {
    expect(changes({ content: " \n" }).content).toBe("(deleted)");
    expect(changes({ content: "🏰".repeat(10_000) }, direct).content).toHaveLength(20_000);
  });

  it("changes the empty topic of a message", () => {
    expect(() => changes({ topic: "general chat" }, inEmptyTopic)).toThrow(/Nothing/);
    expect(changes({ topic: "moat" }, inEmptyTopic).move).toMatchObject({ fromTopic: "", toTopic: "moat" });
  });
});
