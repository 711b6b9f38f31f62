import { describe, expect, it } from "vitest";
import { chatServer } from "../../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../../support/set-up-chat.js";
import { organization, state } from "../states.js";

const server = await chatServer();

const permissive = organization({ message_content_edit_limit_seconds: null });
const sent = (params: object = {}) =>
  state("message", { channel: "castle", topic: "watch", content: "Who is there", ...params });

async function messageOf(setup: ChatSetup, id = setup.id("message_id")) {
  const { database } = server.services;
  return await database.selectFrom("message").selectAll().where("id", "=", id).executeTakeFirst();
}

const refused = (msg?: RegExp) => ({
  ok: false,
  status: 400,
  error: { code: "BAD_REQUEST", ...(msg ? { msg: expect.stringMatching(msg) } : {}) },
});

describe("editMessage, content", () => {
  it.each([
    ["the channel, by another role", "@**all** up", "administrator", "STREAM_WILDCARD_MENTION_NOT_ALLOWED"],
    ["the channel, once more", "@**everyone** up", "member", "STREAM_WILDCARD_MENTION_NOT_ALLOWED"],
    ["a topic of few", "@**topic** up", "member", undefined],
  ])("checks a wildcard mention for %s", async (_, content, caller, code) => {
    const setup = await setUpChat(
      server,
      organization({ can_mention_many_users_group: ["moderator"], message_content_edit_limit_seconds: null }),
      state("channel", { name: "crowd", many_subscribers: true, subscribers: ["member"] }),
      sent({ channel: "crowd", from: caller, content: "@**all** first" }),
    );
    const answer = await setup.as(caller).editMessage({ message_id: setup.id("message_id"), content });
    expect(answer).toMatchObject(code === undefined ? { ok: true } : { status: 400, error: { code } });
    expect((await messageOf(setup))?.content).toBe(code === undefined ? content : "@**all** first");
  });

  it("refuses a topic wildcard in a topic with many participants", async () => {
    const setup = await setUpChat(
      server,
      permissive,
      state("channel", { name: "crowd", many_subscribers: true, subscribers: ["member"] }),
      sent({ channel: "crowd" }),
    );
    const { database } = server.services;

    const subscribers = await database
      .selectFrom("subscription")
      .select(["realm_id", "user_id"])
      .where("channel_id", "=", setup.id("stream_id"))
      .execute();
    const reaction = { emoji_name: "castle", emoji_code: "1f3f0", reaction_type: "unicode_emoji" };
    for (const { realm_id, user_id } of subscribers) {
      await database
        .insertInto("reaction")
        .values({ realm_id, message_id: setup.id("message_id"), user_id, ...reaction })
        .execute();
    }
    const edit = { message_id: setup.id("message_id"), content: "@**topic** up" };
    expect(await setup.as("member").editMessage(edit)).toMatchObject(refused(/wildcard/));
  });
});
