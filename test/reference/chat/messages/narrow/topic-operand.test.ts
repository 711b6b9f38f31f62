import { describe, expect, it } from "vitest";
import { chatServer } from "../../../../support/chat-server.js";
import { setUpChat } from "../../../../support/set-up-chat.js";
import { state } from "../states.js";

const newest = await chatServer();
const before334 = await chatServer({ featureLevel: 333 });

describe("a narrow with the display name of the empty topic", () => {
  const castle = state("channel", { name: "castle", subscribers: ["member"] });
  const messageIn = (topic: string) => state("message", { channel: "castle", topic, content: "All is well" });
  it.each([
    ["finds the empty topic", () => newest, "", "general chat", 1],
    ["ignores letter case and white space", () => newest, "", " General Chat ", 1],
    ["finds a topic of that name below level 334", () => before334, "general chat", "general chat", 1],
    ["does not find the empty topic below level 334", () => before334, "", "general chat", 0],
  ])("%s", async (_, server, topic, operand, count) => {
    const setup = await setUpChat(server(), castle, messageIn(topic));
    const narrow = [
      { operator: "channel", operand: "castle" },
      { operator: "topic", operand },
    ];
    const answer = await setup.as("member").getMessages({ anchor: "newest", num_before: 5, num_after: 0, narrow });
    expect(answer.ok && answer.data.messages).toHaveLength(count);
  });
});

describe("a mention of a group", () => {
  it("reaches the members of its subgroups", async () => {
    const setup = await setUpChat(
      newest,
      state("channel", { name: "castle", subscribers: ["member", "other", "guest"] }),
      state("user-group", { name: "leaf", members: ["guest"] }),
      state("user-group", { name: "guards", members: ["other"], subgroups: ["leaf"] }),
      state("message", { channel: "castle", topic: "watch", content: "@*guards* all is well" }),
    );
    const flags = async (caller: string) => {
      const answer = await setup.as(caller).getMessages({ anchor: "newest", num_before: 1, num_after: 0 });
      return answer.ok ? answer.data.messages.map((message) => Reflect.get(message, "flags")) : answer;
    };
    expect([await flags("guest"), await flags("other"), await flags("member")]).toEqual([
      [["mentioned"]],
      [["mentioned"]],
      [["read"]],
    ]);
  });
});
