import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { basicAuth } from "../uploads/basic-auth.js";
import { organization, state } from "./states.js";

const server = await chatServer();

const hall = state("channel", { name: "hall", subscribers: ["member", "other"] });
const cellar = state("channel", { name: "cellar", private: true, subscribers: ["member", "other"] });
const upload = state("attachment", { from: "member" });
const sharing = state("message", { channel: "cellar", from: "member", links: ["notes.txt"] });
/** A public channel can be read by the notification bot, but not by the guest. */
const shared = state("attachment", { from: "member", linked_in_message: true });
const later = state("time-passes", { seconds: 120 });

async function statusOf(setup: ChatSetup, caller: string, url = uploadIn(setup)): Promise<number> {
  const answer = await fetch(new URL(url, server.url), { headers: basicAuth(setup.credentials(caller)) });
  await answer.arrayBuffer();
  return answer.status;
}

function uploadIn(setup: ChatSetup): string {
  return String(setup.values.url);
}

async function realmOf(setup: ChatSetup): Promise<number> {
  const { database } = server.services;
  const { user_id } = setup.credentials("member");
  const row = await database.selectFrom("user").select("realm_id").where("id", "=", user_id).executeTakeFirst();
  return row?.realm_id ?? 0;
}

async function mentionsIn(setup: ChatSetup, caller: string): Promise<number[]> {
  const { database } = server.services;
  const rows = database
    .selectFrom("user_message")
    .select("message_id")
    .where("user_id", "=", setup.credentials(caller).user_id)
    .where("is_mentioned", "=", true);
  return (await rows.execute()).map(({ message_id }) => message_id);
}

describe("reminder content", () => {
  it.each([
    ["at once", {}],
    ["later", { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 60 }],
  ])("does not grant access to an upload that its user cannot read, delivered %s", async (_, time) => {
    const setup = await setUpChat(server, shared);
    expect(await statusOf(setup, "guest")).toBe(404);
    await setup.as("guest").createReminder({ note: `[notes](${uploadIn(setup)})`, ...time });
    await setup.add(later);
    expect(await statusOf(setup, "guest")).toBe(404);
  });

  it("keeps access to an upload that its user can read", async () => {
    const setup = await setUpChat(server, cellar, upload, sharing);
    await setup.as("other").createReminder({ note: `[notes](${uploadIn(setup)})` });
    const { database } = server.services;
    await database.deleteFrom("subscription").where("channel_id", "=", setup.id("stream_id")).execute();
    expect(await statusOf(setup, "other")).toBe(200);
    expect(await statusOf(setup, "moderator")).toBe(404);
  });

  it("keeps an upload attached if its note links it", async () => {
    const setup = await setUpChat(server, cellar, upload, sharing);
    const detach = (caller: string) =>
      setup.as(caller).editMessage({ message_id: setup.id("message_id"), content: "no link" });
    const restore = `[notes](${uploadIn(setup)})`;
    expect(await detach("member")).toMatchObject({ data: { detached_uploads: [{ name: "notes.txt" }] } });
    await setup.as("member").editMessage({ message_id: setup.id("message_id"), content: restore });
    await setup.as("other").createReminder({ note: restore });
    expect(await detach("member")).toMatchObject({ data: { detached_uploads: [] } });
    expect(await statusOf(setup, "other")).toBe(200);
  });

  it("mentions only its user", async () => {
    const setup = await setUpChat(server, hall, state("user-group", { name: "crew", members: ["member", "other"] }));
    await setup.as("member").createReminder({ note: "@**all** @**topic** @*crew*" });
    const counts: number[] = [];
    for (const caller of ["member", "other", "moderator"]) counts.push((await mentionsIn(setup, caller)).length);
    expect(counts).toEqual([1, 0, 0]);
  });
});

describe("the notice of a move", () => {
  // Names of users, topics and channels must not become Markdown of the bot.
  it.each([
    ["@**all**", "[x](URL)"],
    ["[x](URL)", "@**all** [x](URL)"],
    ["x|1** @**all**", "`[x](URL)` @**topic**"],
    ["/me", "**>[x](URL)** @*crew*"],
  ])("mentions nobody and links no upload for the names %j and %j", async (name, topic) => {
    const setup = await setUpChat(
      server,
      organization({ can_move_messages_between_topics_group: ["member"] }),
      hall,
      shared,
      state("user-group", { name: "crew", members: ["member", "other"] }),
      state("message", { channel: "hall", topic: "names", from: "member" }),
    );
    const { database } = server.services;
    const path = uploadIn(setup);
    await database
      .updateTable("user")
      .set({ full_name: name.replace("URL", path) })
      .where("id", "=", setup.credentials("member").user_id)
      .execute();
    const links = database.selectFrom("attachment_message").select("message_id");
    const before = await links.execute();
    const answer = await setup.as("member").editMessage({
      message_id: setup.id("message_id"),
      topic: topic.replace("URL", "/user_uploads/1/a/b"),
      send_notification_to_old_thread: true,
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(await links.execute()).toEqual(before);
    expect([...(await mentionsIn(setup, "member")), ...(await mentionsIn(setup, "other"))]).toEqual([]);
    const notices = await database
      .selectFrom("message")
      .innerJoin("realm", "realm.notification_bot_id", "message.sender_id")
      .select(["message.rendered_content", "message.is_me_message"])
      .where("realm.id", "=", await realmOf(setup))
      .execute();
    expect(notices).toHaveLength(2);
    for (const { rendered_content: html, is_me_message } of notices) {
      expect(is_me_message).toBe(false);
      expect(html).not.toMatch(/href="(?!#narrow)/);
    }
  });
});

describe("a scheduled message", () => {
  it("does not grant access to an upload that its sender can no longer read", async () => {
    const setup = await setUpChat(server, cellar, upload, sharing);
    await setup.add(
      state("scheduled-message", {
        from: "other",
        to: ["moderator"],
        content: `[notes](${uploadIn(setup)})`,
        in_seconds: 60,
      }),
    );
    const { database } = server.services;
    await database.deleteFrom("subscription").where("channel_id", "=", setup.id("stream_id")).execute();
    await setup.add(later);
    expect(await statusOf(setup, "moderator")).toBe(404);
  });

  it("is returned if its sender may not use a wildcard mention in its channel", async () => {
    const setup = await setUpChat(
      server,
      organization({ can_mention_many_users_group: ["moderator"] }),
      state("channel", { name: "crowd", many_subscribers: true, subscribers: ["member", "other", "moderator"] }),
    );
    const scheduled = (from: string) =>
      state("scheduled-message", { from, channel: "crowd", topic: "t", content: `@**all** ${from}`, in_seconds: 60 });
    await setup.add(scheduled("member"), scheduled("moderator"), later);
    expect(await mentionsIn(setup, "other")).toHaveLength(1);
    const { database } = server.services;
    const sent = database
      .selectFrom("message")
      .select(["content", "channel_id"])
      .where("realm_id", "=", await realmOf(setup));
    const [returned, ...others] = await sent.where("content", "like", "%**% member").execute();
    expect(others).toEqual([]);
    expect(returned).toMatchObject({ channel_id: null, content: expect.stringContaining("wildcard mention") });
  });
});
