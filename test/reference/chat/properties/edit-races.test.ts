import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, answerOf } from "../../../support/answer-of.js";
import { chatServer } from "../../../support/chat-server.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { concurrently } from "./concurrently.js";

const server = await chatServer();

const allCallers = ["owner", "administrator", "moderator", "member", "other", "guest"];
const lobby = { state: "channel", params: { name: "Lobby", subscribers: allCallers } };
const hello = { state: "message", params: { from: "member", channel: "Lobby", topic: "a", content: "Hello" } };

describe("concurrent edits", () => {
  it("let exactly one edit with the same digest succeed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 12 }), async (editors) => {
        const chat = await setUpChat(server, lobby, hello);
        const message_id = chat.id("message_id");
        const prev_content_sha256 = digestOf("Hello");
        const contents = Array.from({ length: editors }, (_, editor) => `Hello from ${editor}`);
        const answers = await concurrently(
          contents.map(
            (content) => () => answerOf(chat.as("member"), "editMessage", { message_id, content, prev_content_sha256 }),
          ),
        );
        const winners = contents.filter((_, editor) => answers[editor]?.status === 200);
        expect(winners).toHaveLength(1);
        expect(answers.filter(({ status, body }) => status === 400 && body.code === "BAD_REQUEST")).toHaveLength(
          editors - 1,
        );
        const message = await show(chat, message_id);
        expect(message.content).toBe(winners[0]);
        expect(message.edit_history).toHaveLength(1);
        expect(message.edit_history?.[0]).toMatchObject({ prev_content: "Hello" });
      }),
      { seed: propertySeed, numRuns: propertyRuns(10) },
    );
  });

  it("all succeed in turn if they retry with a fresh digest", async () => {
    const chat = await setUpChat(server, lobby, { ...hello, params: { ...hello.params, content: "0" } });
    const message_id = chat.id("message_id");
    const increment = async () => {
      for (let attempt = 0; attempt < 100; attempt++) {
        const { content } = await show(chat, message_id);
        const edit = { message_id, content: String(Number(content) + 1), prev_content_sha256: digestOf(content) };
        if ((await answerOf(chat.as("member"), "editMessage", edit)).status === 200) return;
      }
      throw new Error("no attempt won");
    };
    await Promise.all(Array.from({ length: 10 }, increment));
    const { content, edit_history: history = [] } = await show(chat, message_id);
    expect(content).toBe("10");
    expect(history.map(({ prev_content }) => prev_content)).toEqual(["9", "8", "7", "6", "5", "4", "3", "2", "1", "0"]);
  });

  it("all succeed without a digest, and the history contains each of them", async () => {
    const chat = await setUpChat(server, lobby, hello);
    const message_id = chat.id("message_id");
    const contents = Array.from({ length: 12 }, (_, editor) => `Hello from ${editor}`);
    const answers = await concurrently(
      contents.map((content) => () => answerOf(chat.as("member"), "editMessage", { message_id, content })),
    );
    expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
    const { content, edit_history: history = [] } = await show(chat, message_id);
    const written = [content, ...history.map(({ prev_content }) => prev_content)];
    expect(written.at(-1)).toBe("Hello");
    expect([...written.slice(0, -1)].sort()).toEqual([...contents].sort());
  });

  it("keep a topic whole if moves to different places compete", async () => {
    const chat = await setUpChat(server, lobby, {
      state: "messages",
      params: { from: "member", channel: "Lobby", topic: "a", contents: ["1", "2", "3", "4", "5"] },
    });
    const ids = chat.values.message_ids as number[];
    const topics = ["b", "c", "d", "e"];
    const answers = await concurrently(
      topics.map(
        (topic, mover) => () =>
          answerOf(chat.as(allCallers[mover] ?? "owner"), "editMessage", {
            message_id: ids[mover],
            topic,
            propagate_mode: "change_all",
            send_notification_to_new_thread: false,
          }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(topics.map(() => 200));
    const shown = await Promise.all(ids.map((id) => show(chat, id)));
    expect(new Set(shown.map(({ topic }) => topic)).size).toBe(1);
    for (const { topic, edit_history: history = [] } of shown) {
      expect(history).toHaveLength(4);
      expect(history.map((entry) => entry.topic)).toEqual([
        topic,
        ...history.slice(0, -1).map((entry) => entry.prev_topic),
      ]);
      expect(history.at(-1)?.prev_topic).toBe("a");
    }
  });
});

function digestOf(content: string): string {
  return createHash("sha256").update(content, "utf8").digest("hex");
}

interface Shown {
  readonly content: string;
  readonly topic: string;
  readonly edit_history?: readonly {
    readonly prev_content?: string;
    readonly topic?: string;
    readonly prev_topic?: string;
  }[];
}

async function show(chat: ChatSetup, id: number): Promise<Shown> {
  const { body } = await answerOf(chat.as("owner"), "getMessages", { message_ids: [id], apply_markdown: false });
  const [message] = (body as { messages: Shown[] } & Answer["body"]).messages;
  if (message === undefined) throw new Error(`message ${id} is not shown`);
  return message;
}
