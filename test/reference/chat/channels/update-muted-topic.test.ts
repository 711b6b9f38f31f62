import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { executeSql } from "../../../support/execute-sql.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const stage = { state: "channel", params: { name: "stage", subscribers: ["member"] } };

const server = await chatServer();

async function mutedTopics(setup: ChatSetup): Promise<string[]> {
  const { database } = server.services;
  const id = setup.credentials("member").user_id;
  const rows = database.selectFrom("muted_topic").select("topic").where("user_id", "=", id).orderBy("topic");
  return (await rows.execute()).map(({ topic }) => topic);
}

describe("updateMutedTopic", () => {
  it("mutes at most 10000 topics per user", async () => {
    const setup = await setUpChat(server, stage);
    const { user_id } = setup.credentials("member");
    const stream_id = setup.id("stream_id");
    await executeSql(
      server.services.database,
      `
      with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 9999)
      insert into muted_topic (realm_id, user_id, channel_id, topic)
        select realm_id, user_id, channel_id, 'topic ' || i from numbers, subscription
        where user_id = ${user_id} and channel_id = ${stream_id}`,
    );
    const change = async (op: "add" | "remove", topic: string) =>
      (await setup.as("member").updateMutedTopic({ stream_id, topic, op })).status;
    expect(await change("add", "skull")).toBe(200);
    expect(await change("add", "foil")).toBe(400);
    expect(await change("add", "skull")).toBe(200);
    expect(await mutedTopics(setup)).toHaveLength(10_000);
    expect(await change("remove", "topic 1")).toBe(200);
    expect(await change("add", "foil")).toBe(200);
  });
});
