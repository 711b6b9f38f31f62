import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const channel = { state: "channel", params: { name: "rehearsals", subscribers: ["member"] } };
const secret = { state: "channel", params: { name: "cellar", private: true, subscribers: ["other"] } };
const message = (params: object) => ({ state: "message", params: { ...params } });

const server = await chatServer();

const soon = () => Math.floor(Date.now() / 1000) + 600;

/** The direct messages that the notification bot has sent to a caller. */
async function notices(setup: ChatSetup, caller = "member"): Promise<{ content: string; rendered_content: string }[]> {
  const { database } = server.services;
  return await database
    .selectFrom("user_message")
    .innerJoin("message", "message.id", "user_message.message_id")
    .innerJoin("realm", "realm.notification_bot_id", "message.sender_id")
    .select(["message.content", "message.rendered_content"])
    .where("user_message.user_id", "=", setup.credentials(caller).user_id)
    .orderBy("message.id")
    .execute();
}

describe("createReminder", () => {
  it("keeps at most 1000 reminders per user", async () => {
    const setup = await setUpChat(server);
    const { database } = server.services;
    const { user_id } = setup.credentials("member");
    const { realm_id } = (await database
      .selectFrom("user")
      .select("realm_id")
      .where("id", "=", user_id)
      .executeTakeFirst()) ?? { realm_id: 0 };
    const rows = Array.from({ length: 999 }, () => ({ realm_id, user_id, note: "", due_at: soon() }));
    await database.insertInto("reminder").values(rows).execute();
    const remind = (caller: string) => setup.as(caller).createReminder({ scheduled_delivery_timestamp: soon() });
    expect(await remind("member")).toMatchObject({ status: 200 });
    expect(await remind("member")).toMatchObject({ status: 400 });
    expect(await remind("other")).toMatchObject({ status: 200 });
  });

  it("does not link a message that the user can no longer read", async () => {
    const setup = await setUpChat(
      server,
      channel,
      secret,
      message({ from: "other", channel: "cellar", topic: "trap door" }),
    );
    await setup
      .as("other")
      .createReminder({ message_id: setup.id("message_id"), scheduled_delivery_timestamp: soon() });
    const { database } = server.services;
    await database.deleteFrom("subscription").where("user_id", "=", setup.credentials("other").user_id).execute();
    await setup.add({ state: "time-passes", params: { seconds: 1000 } });
    expect((await notices(setup, "other")).map(({ content }) => content)).toEqual([
      "You asked for a reminder of a message that you can no longer read.",
    ]);
  });
});
