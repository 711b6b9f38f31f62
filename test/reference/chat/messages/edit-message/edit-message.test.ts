import { createHash } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { chatServer } from "../../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../../support/set-up-chat.js";
import { organization, state } from "../states.js";

const server = await chatServer();

const castle = state("channel", { name: "castle", subscribers: ["member", "other"] });
const permissive = organization({ message_content_edit_limit_seconds: null });
const sent = (params: object = {}) =>
  state("message", { channel: "castle", topic: "watch", content: "Who is there", ...params });

async function messageOf(setup: ChatSetup, id = setup.id("message_id")) {
  const { database } = server.services;
  return await database.selectFrom("message").selectAll().where("id", "=", id).executeTakeFirst();
}

async function receivers(setup: ChatSetup, id = setup.id("message_id")) {
  const { database } = server.services;
  const rows = database.selectFrom("user_message").selectAll().where("message_id", "=", id);
  const callers = ["owner", "administrator", "moderator", "member", "other", "guest"];
  return Object.fromEntries(
    (await rows.execute()).flatMap((row) => {
      const caller = callers.find((name) => setup.credentials(name).user_id === row.user_id);
      return caller === undefined ? [] : [[caller, row]];
    }),
  );
}

async function found(words: string): Promise<number[]> {
  const { database } = server.services;

  const rows = database
    .selectFrom("message_search")
    .select("rowid")
    .where(sql<SqlBool>`message_search match ${words}`)
    .orderBy("rowid");
  return (await rows.execute()).map(({ rowid }) => rowid);
}

const refused = (msg?: RegExp) => ({
  ok: false,
  status: 400,
  error: { code: "BAD_REQUEST", ...(msg ? { msg: expect.stringMatching(msg) } : {}) },
});

describe("editMessage, target", () => {
  it("checks the parameters before the permission", async () => {
    const setup = await setUpChat(server, castle, sent({ from: "other" }));
    const edit = { message_id: setup.id("message_id"), content: "x", stream_id: setup.id("stream_id") };
    expect(await setup.as("member").editMessage(edit)).toMatchObject(refused(/while changing channel/));
  });
});

describe("editMessage, content", () => {
  it("updates the rendering, search, mentions and flag", async () => {
    const setup = await setUpChat(server, permissive, castle, sent({ content: "@**Otto Other** qzonce" }));
    const message_id = setup.id("message_id");
    expect(await receivers(setup)).toMatchObject({ other: { is_mentioned: true }, member: { is_mentioned: false } });
    const content = "/me asks @**Mira Member** at https://example.org about qztwice";
    expect(await setup.as("member").editMessage({ message_id, content })).toMatchObject({ ok: true });
    expect(await messageOf(setup)).toMatchObject({
      content,
      rendered_content: expect.stringContaining('class="user-mention"'),
      is_me_message: true,
      edited_at: expect.any(Number),
      moved_at: null,
    });
    expect(await receivers(setup)).toMatchObject({
      other: { is_mentioned: false, is_read: false },
      member: { is_mentioned: true, is_read: true },
    });
    expect([await found("qzonce"), await found("qztwice")]).toEqual([[], [message_id]]);
  });

  it("compares the digest of the UTF-8 text, case-insensitively", async () => {
    const setup = await setUpChat(server, permissive, castle, sent({ content: "Wer da – 🏰" }));
    const message_id = setup.id("message_id");
    const digest = createHash("sha256").update("Wer da – 🏰", "utf8").digest("hex").toUpperCase();
    const edit = { message_id, content: "Niemand", prev_content_sha256: digest };
    expect(await setup.as("member").editMessage(edit)).toMatchObject({ ok: true });
    expect(await setup.as("member").editMessage({ ...edit, content: "Jemand" })).toMatchObject(refused(/sha256/));
    expect((await messageOf(setup))?.content).toBe("Niemand");
  });

  it("detaches a file only with its last link, and relinks a file that the caller can read", async () => {
    const file = state("attachment", { name: "plan.txt", text: "plan", linked_in_message: true });
    const setup = await setUpChat(server, permissive, castle, file);
    const path = `/user_uploads/${String(setup.values.path_id)}`;
    const attached = setup.id("message_id");
    const copied = (await setup.add(sent({ content: "nothing yet" }))).id("message_id");
    const hidden = (await setup.add(sent({ from: "moderator", content: "nothing yet" }))).id("message_id");
    const edit = async (caller: string, message_id: number, content: string) => {
      const answer = await setup.as(caller).editMessage({ message_id, content });
      if (!answer.ok) throw new Error(answer.error.msg);
      return answer.data.detached_uploads;
    };
    const links = async () => {
      const { database } = server.services;
      const rows = database.selectFrom("attachment_message").select("message_id").orderBy("message_id");
      return (await rows.where("attachment_id", "=", setup.id("attachment_id")).execute()).map(
        ({ message_id }) => message_id,
      );
    };
    expect(await edit("member", copied, `[plan](${path})`)).toEqual([]);
    expect(await links()).toEqual([attached, copied]);
    expect(await edit("moderator", hidden, `[plan](${path})`)).toEqual([]);
    expect(await edit("member", attached, "gone")).toEqual([]);
    expect(await edit("moderator", hidden, "gone")).toEqual([]);
    expect(await edit("member", copied, "gone")).toEqual([
      expect.objectContaining({ id: setup.id("attachment_id"), name: "plan.txt", size: 4, messages: [] }),
    ]);
    expect(await links()).toEqual([]);
  });

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
