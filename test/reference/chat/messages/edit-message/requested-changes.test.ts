import { describe, expect, it } from "vitest";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { requestedChanges } from "../../../../../reference/chat/messages/edit-message/requested-changes.js";

const inChannel = { channel_id: 7, topic: "Castle", content: "Who is there" };
const direct = { channel_id: null, topic: "", content: "Who is there" };
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
    ["a mode alone", { propagate_mode: "change_all" }, /Nothing/],
    ["a digest alone", { prev_content_sha256: "00" }, /Nothing/],
    ["content and the channel that it has", { content: "x", stream_id: 7 }, /while changing channel/],
    [
      "content and the same topic for all",
      { content: "x", topic: "Castle", propagate_mode: "change_all" },
      /propagate_mode/,
    ],
    ["a resolved topic that is too long", { topic: `✔ ${"x".repeat(59)}` }, /longer than 60/],
    ["a topic with a line break", { topic: "a\nb" }, /character/],
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
    ["(No Topic)", 100],
  ])("refuses topic %j where topics are required, at level %i", (topic, level) => {
    expect(() => changes({ topic }, inChannel, level, topicsRequired)).toThrow(/BAD_REQUEST/);
  });

  it.each([
    ["General Chat", 415, ""],
    ["General Chat", 333, "General Chat"],
    ["(no topic)", 415, "(no topic)"],
    ["  moat ", 415, "moat"],
    ["castle", 415, "castle"],
  ])("reads topic %j at level %i as %j", (topic, level, toTopic) => {
    expect(changes({ topic }, inChannel, level)).toMatchObject({
      content: undefined,
      move: { fromTopic: "Castle", toTopic, changesTopic: true, changesChannel: false, isResolution: false },
    });
  });

  it.each([
    ["one message", "Castle", "✔ Castle", "change_one", false],
    ["another name", "Castle", "✔ castle", "change_all", false],
    ["a second mark", "✔ Castle", "✔ ✔ Castle", "change_all", false],
  ] as const)("recognizes a resolution: %s", (_, from, topic, mode, isResolution) => {
    const target = { ...inChannel, topic: from };
    expect(changes({ topic, propagate_mode: mode }, target).move).toMatchObject({ isResolution });
  });

  it("reads white space as deleted content, and counts code points", () => {
    expect(changes({ content: " \n" }).content).toBe("(deleted)");
    expect(changes({ content: "🏰".repeat(10_000) }, direct).content).toHaveLength(20_000);
  });
});
