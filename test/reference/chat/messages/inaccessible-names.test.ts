import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { organization, state } from "./states.js";

const server = await chatServer();

const hall = state("channel", { name: "hall", subscribers: ["member", "guest"] });
const secret = state("channel", { name: "secret plans", private: true, subscribers: ["other"] });
const open = state("channel", { name: "open plans", subscribers: ["other"] });
const sent = (from: string) => state("message", { channel: "hall", topic: "names", content: "before", from });
const known = /data-(?:stream|user)-id/;

async function newestMessages(setup: ChatSetup, count: number): Promise<string[]> {
  const { database } = server.services;

  const realm = database.selectFrom("user").select("realm_id").where("id", "=", setup.credentials("member").user_id);
  const rows = database.selectFrom("message").select("rendered_content").where("realm_id", "in", realm);
  return (await rows.orderBy("id", "desc").limit(count).execute())
    .map(({ rendered_content }) => rendered_content)
    .reverse();
}

async function nameOf(userId: number): Promise<string> {
  const { database } = server.services;
  const row = await database.selectFrom("user").select("full_name").where("id", "=", userId).executeTakeFirst();
  if (row === undefined) throw new Error(`there is no user ${userId}`);
  return row.full_name;
}

/** Edits a caller's own message and returns its rendered content. */
async function edited(setup: ChatSetup, caller: string, content: string): Promise<string> {
  const as = setup.as(caller);
  const message_id = setup.id("message_id");
  expect(await as.editMessage({ message_id, content })).toMatchObject({ status: 200 });
  const answer = await as.getMessages({ message_ids: [message_id] });
  return answer.ok ? (answer.data.messages[0]?.content ?? "") : "";
}

describe("an edit that names something unknown to its author", () => {
  it.each([
    ["a private channel", "member", "#**secret plans**"],
    ["a private channel, in other letters", "member", "#**SECRET plans**"],
    ["a topic of a private channel", "member", "#**secret plans>who**"],
    ["a private channel, though the author is an owner", "owner", "#**secret plans**"],
    ["a channel that a guest is not subscribed to", "guest", "#**open plans**"],
  ])("does not reveal %s", async (_, caller, content) => {
    const setup = await setUpChat(server, hall, secret, open, sent(caller));
    const html = await edited(setup, caller, content);
    expect(html).not.toMatch(known);
    // The same as for a channel that does not exist.
    expect(html).toBe((await edited(setup, caller, content.replace("plans", "planz"))).replace("planz", "plans"));
  });

  it("does not reveal an inaccessible user by name, or by name and id", async () => {
    const setup = await setUpChat(server, hall, sent("member"), state("inaccessible-user"));
    const id = setup.id("user_id");
    for (const content of [
      `@**${await nameOf(id)}**`,
      `@_**${await nameOf(id)}**`,
      `@**${await nameOf(id)}|${id}**`,
      `@**x|${id}**`,
    ]) {
      expect(await edited(setup, "member", content)).not.toMatch(known);
    }
  });

  it("resolves these names for other users", async () => {
    const setup = await setUpChat(server, hall, secret, open, sent("other"), state("inaccessible-user"));
    const content = `#**secret plans** #**open plans>who** @**${await nameOf(setup.id("user_id"))}**`;
    expect((await edited(setup, "other", content)).match(/data-(?:stream|user)-id/g)).toHaveLength(3);
  });
});

describe("a bot message on behalf of a user", () => {
  it("does not reveal a private channel in a reminder", async () => {
    const setup = await setUpChat(server, hall, secret);
    await setup.as("member").createReminder({ note: "Ask about #**secret plans** and #**hall**" });
    const [html = ""] = await newestMessages(setup, 1);
    expect(html).toContain("about #<strong>secret plans</strong>");
    expect(html.match(/data-stream-id/g)).toHaveLength(1);
  });

  it("links the channels of a move, which the caller knows", async () => {
    const setup = await setUpChat(
      server,
      organization({ can_move_messages_between_channels_group: ["other"] }),
      state("channel", { name: "hall", subscribers: ["other"] }),
      sent("other"),
      secret,
    );
    const move = { message_id: setup.id("message_id"), stream_id: setup.id("stream_id") };
    const answer = await setup.as("other").editMessage({ ...move, send_notification_to_old_thread: true });
    expect(answer).toMatchObject({ status: 200 });
    const [inOld = "", inNew = ""] = await newestMessages(setup, 2);
    expect(inOld).toContain(`data-stream-id="${setup.id("stream_id")}"`);
    expect(inNew).toMatch(/data-stream-id/);
    expect(inNew).toContain(`data-user-id="${setup.credentials("other").user_id}"`);
  });
});
