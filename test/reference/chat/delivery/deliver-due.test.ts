import { describe, expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { chatServer } from "../../../support/chat-server.js";
import { executeSql } from "../../../support/execute-sql.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

const rehearsals = { state: "channel", params: { name: "rehearsals", subscribers: ["member", "other"] } };
const scheduled = (params: object) => ({
  state: "scheduled-message",
  params: { content: "We start at nine.", in_seconds: 60, ...params },
});
const later = { state: "time-passes", params: { seconds: 120 } };

/** The messages that a caller has received, in order. */
async function received(setup: ChatSetup, caller: string) {
  const { database } = server.services;
  return await database
    .selectFrom("user_message")
    .innerJoin("message", "message.id", "user_message.message_id")
    .select(["message.id", "message.sender_id", "message.content", "message.channel_id", "message.topic"])
    .where("user_message.user_id", "=", setup.credentials(caller).user_id)
    .orderBy("message.id")
    .execute();
}

async function run(sql: string): Promise<void> {
  await executeSql(server.services.database, sql);
}

describe("the delivery of scheduled messages", () => {
  it.each([
    ["a channel message", { from: "member", channel: "rehearsals", topic: "act five" }],
    ["a direct message", { from: "member", to: ["other"] }],
  ])("sends %s once, as its sender, with a new id", async (_, params) => {
    const setup = await setUpChat(server, rehearsals, scheduled(params));
    expect(await received(setup, "other")).toEqual([]);
    await setup.add(later, later);
    const [message, ...others] = await received(setup, "other");
    expect(others).toEqual([]);
    expect(message).toMatchObject({ sender_id: setup.credentials("member").user_id, content: "We start at nine." });
    expect(message?.id).not.toBe(setup.id("scheduled_message_id"));
    expect(
      await setup.as("member").deleteScheduledMessage({ scheduled_message_id: setup.id("scheduled_message_id") }),
    ).toMatchObject({
      status: 400,
      error: { code: "BAD_REQUEST" },
    });
  });

  it("changes the id where message ids and scheduled ids would collide", async () => {
    const fresh = await createChatReference({ states: true, validateResponses: true });
    try {
      const setup = await setUpChat(fresh, scheduled({ to: ["other"] }), scheduled({ to: ["other"] }), later);
      const { database } = fresh.services;
      const ids = (await database.selectFrom("message").select("id").orderBy("id").execute()).map(({ id }) => id);
      expect(ids).toHaveLength(2);
      expect(ids[0]).not.toBe(1);
      expect(ids[1]).not.toBe(2);
      expect(setup.id("scheduled_message_id")).toBe(2);
    } finally {
      await fresh.close();
    }
  });

  it("follows the order of due times", async () => {
    const setup = await setUpChat(
      server,
      scheduled({ to: ["other"], content: "second", in_seconds: 40 }),
      scheduled({ to: ["other"], content: "third", in_seconds: 50 }),
      scheduled({ to: ["other"], content: "first", in_seconds: 30 }),
      later,
    );
    expect((await received(setup, "other")).map(({ content }) => content)).toEqual(["first", "second", "third"]);
  });

  it("drops messages of deactivated senders", async () => {
    const setup = await setUpChat(server, scheduled({ to: ["other"] }));
    await run(`update user set is_active = 0 where id = ${setup.credentials("member").user_id}`);
    await setup.add(later);
    expect(await received(setup, "other")).toEqual([]);
  });

  it.each([
    [
      "the channel became private",
      (setup: ChatSetup) => `update channel set is_private = 1 where id = ${setup.id("stream_id")}`,
      "member",
    ],
    [
      "a guest was unsubscribed",
      (setup: ChatSetup) => `delete from subscription where channel_id = ${setup.id("stream_id")}`,
      "guest",
    ],
  ])("returns a message through the notification bot if %s", async (_, change, from) => {
    const stage = { state: "channel", params: { name: "stage", subscribers: from === "guest" ? ["guest"] : [] } };
    const content = "Curtain".padEnd(10_000, "!");
    const setup = await setUpChat(server, stage, scheduled({ from, channel: "stage", topic: "t", content }));
    await run(change(setup));
    await setup.add(later);
    const [notice, ...others] = await received(setup, from);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ channel_id: null, content: expect.stringContaining("Curtain!!!") });
    expect(notice?.content).toHaveLength(10_000);
  });

  it("keeps a message pending if sending fails, and sends it later", async () => {
    const setup = await setUpChat(server, scheduled({ to: ["other"] }));
    const id = setup.id("scheduled_message_id");
    await run("create trigger broken before insert on user_message begin select raise(abort, 'disk'); end");
    try {
      await expect(setup.add(later)).rejects.toThrow();
    } finally {
      await run("drop trigger broken");
    }
    const { database } = server.services;
    const pending = database.selectFrom("scheduled_message").select("id").where("id", "=", id);
    expect(await pending.execute()).toEqual([{ id }]);
    await setup.add({ state: "time-passes", params: { seconds: 1 } });
    expect(await pending.execute()).toEqual([]);
    expect(await received(setup, "other")).toHaveLength(1);
  });
});
