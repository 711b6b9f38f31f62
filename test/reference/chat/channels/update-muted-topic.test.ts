import { describe, expect, it } from "vitest";
import { executeSql } from "../../../support/execute-sql.js";
import { serversOfLevels } from "../../../support/servers-of-levels.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const stage = { state: "channel", params: { name: "stage", subscribers: ["member"] } };

const at = serversOfLevels(168, 333, 415);

async function mutedTopics(setup: ChatSetup, level = 415): Promise<string[]> {
  const { database } = at(level).services;
  const of = setup.credentials("member").user_id;
  const rows = database.selectFrom("muted_topic").select("topic").where("user_id", "=", of).orderBy("topic");
  return (await rows.execute()).map(({ topic }) => topic);
}

describe("updateMutedTopic", () => {
  it.each([
    [415, "", [""]],
    [415, "general chat", [""]],
    [415, " General Chat ", [""]],
    [415, "two\nlines", undefined],
    [415, "x".repeat(60), ["x".repeat(60)]],
    [415, "\u{1F480}".repeat(60), ["\u{1F480}".repeat(60)]],
    [415, "x".repeat(61), undefined],
    [333, "", undefined],
    [333, "general chat", ["general chat"]],
  ])("reads the topic at level %i: %j", async (level, topic, muted) => {
    const setup = await setUpChat(at(level), stage);
    const answer = await setup.as("member").updateMutedTopic({ stream: "stage", topic, op: "add" });
    expect(answer.status).toBe(muted === undefined ? 400 : 200);
    expect(await mutedTopics(setup, level)).toEqual(muted ?? []);
  });

  it.each([
    [415, 200],
    [168, 400],
  ])("answers a repeated change at level %i with %i, ignoring the case of the topic", async (level, status) => {
    const setup = await setUpChat(at(level), stage);
    const change = async (op: "add" | "remove", topic: string) =>
      (await setup.as("member").updateMutedTopic({ stream_id: setup.id("stream_id"), topic, op })).status;
    expect(await change("remove", "skull")).toBe(status);
    expect(await change("add", "skull")).toBe(200);
    expect(await change("add", "Skull")).toBe(status);
    expect(await change("remove", "SKULL")).toBe(200);
    expect(await mutedTopics(setup, level)).toEqual([]);
  });

  it("treats a channel without a subscription like one that does not exist", async () => {
    const setup = await setUpChat(at(415), {
      state: "channel",
      params: { name: "cellar", private: true, subscribers: ["other"] },
    });
    const elsewhere = await setUpChat(at(415), {
      state: "channel",
      params: { name: "attic", subscribers: ["member"] },
    });
    const mute = (channel: { stream_id: number } | { stream: string }) =>
      setup.as("member").updateMutedTopic({ ...channel, topic: "skull", op: "add" });
    const unknown = { byId: await mute({ stream_id: 1_000_000_000 }), byName: await mute({ stream: "nowhere" }) };
    for (const of of [setup, elsewhere]) {
      expect(await mute({ stream_id: of.id("stream_id") })).toMatchObject({ error: errorOf(unknown.byId) });
      const name = of === setup ? "cellar" : "attic";
      expect(await mute({ stream: name })).toMatchObject({ error: errorOf(unknown.byName) });
    }
  });

  it("mutes at most 10000 topics per user", async () => {
    const setup = await setUpChat(at(415), stage);
    const { user_id } = setup.credentials("member");
    const stream_id = setup.id("stream_id");
    await executeSql(
      at(415).services.database,
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

function errorOf(answer: object): object {
  return (answer as { error: object }).error;
}
