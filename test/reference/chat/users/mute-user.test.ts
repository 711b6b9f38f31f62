import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

let server: ChatReference;
let old: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
  old = await createChatReference({ states: true, validateResponses: true, featureLevel: 187 });
});
afterAll(() => Promise.all([server.close(), old.close()]));

const stage = { state: "channel", params: { name: "stage", subscribers: ["member", "other", "moderator"] } };
const messageFrom = (from: string) => ({ state: "message", params: { from, channel: "stage", content: "Hark" } });

/** The number of messages of one caller that another has not read. */
async function unread(setup: ChatSetup, reader: string, sender: string): Promise<number> {
  const { database } = server.services;
  const rows = database
    .selectFrom("user_message")
    .innerJoin("message", "message.id", "user_message.message_id")
    .select("message.id")
    .where("user_message.user_id", "=", setup.credentials(reader).user_id)
    .where("message.sender_id", "=", setup.credentials(sender).user_id)
    .where("is_read", "=", false);
  return (await rows.execute()).length;
}

const errorOf = (answer: object) => (answer as { error: object }).error;

describe("muteUser", () => {
  it("marks messages of the muted user as read, only for the caller", async () => {
    const setup = await setUpChat(server, stage, messageFrom("other"), messageFrom("other"), messageFrom("moderator"));
    expect(await unread(setup, "member", "other")).toBe(2);
    const { status } = await setup.as("member").muteUser({ muted_user_id: setup.credentials("other").user_id });
    expect(status).toBe(200);
    await setup.add(messageFrom("other"));
    expect(await unread(setup, "member", "other")).toBe(0);
    expect(await unread(setup, "member", "moderator")).toBe(1);
    expect(await unread(setup, "moderator", "other")).toBe(3);
  });

  it("has the same effect as the state muted-user", async () => {
    const setup = await setUpChat(server, stage, messageFrom("other"), {
      state: "muted-user",
      params: { user: "other" },
    });
    expect(await unread(setup, "member", "other")).toBe(0);
    const again = await setup.as("member").muteUser({ muted_user_id: setup.id("muted_user_id") });
    expect(again.status).toBe(400);
  });

  it.each([
    ["bot", 200, 400],
    ["deactivated", 200, 200],
    ["owner", 200, 200],
    ["member", 400, 400],
  ])("answers muting %s with %i, before level 188 with %i", async (caller, now, before) => {
    for (const [of, status] of [
      [server, now],
      [old, before],
    ] as const) {
      const setup = await setUpChat(of, stage);
      const answer = await setup.as("member").muteUser({ muted_user_id: setup.credentials(caller).user_id });
      expect(answer.status).toBe(status);
    }
  });

  it("treats users of other organizations and inaccessible users like unknown ones", async () => {
    const elsewhere = await setUpChat(server, stage);
    const setup = await setUpChat(server, { state: "inaccessible-user", params: {} });
    const mute = (muted_user_id: number) => setup.as("member").muteUser({ muted_user_id });
    const unknown = await mute(1_000_000_000);
    expect(unknown.status).toBe(400);
    for (const id of [elsewhere.credentials("other").user_id, setup.id("user_id")]) {
      expect(await mute(id)).toMatchObject({ status: 400, error: errorOf(unknown) });
    }
  });
});
