import { describe, expect, it } from "vitest";
import { chatServer } from "../../../../support/chat-server.js";
import { executeSql } from "../../../../support/execute-sql.js";
import { type ChatSetup, setUpChat } from "../../../../support/set-up-chat.js";
import { organization, state } from "../states.js";

const server = await chatServer();

const mebibyte = 1024 * 1024;

function setUp(count = 1): Promise<ChatSetup> {
  return setUpChat(
    server,
    organization({ can_move_messages_between_topics_group: ["member"] }),
    state("channel", { name: "castle", subscribers: ["member"] }),
    state("messages", {
      channel: "castle",
      topic: "watch",
      contents: Array.from({ length: count }, (_, index) => `Who is there ${index}`),
    }),
  );
}

/** The ids of the messages sent by the state. */
function idsOf({ values }: ChatSetup): number[] {
  return values.message_ids as number[];
}

/** Adds entries to the edit history of a message, each with a text of this length. */
async function addEdits(messageId: number, count: number, length: number): Promise<void> {
  const { database } = server.services;
  const text = "x".repeat(length);
  const { realm_id } = await database
    .selectFrom("message")
    .select("realm_id")
    .where("id", "=", messageId)
    .executeTakeFirstOrThrow();
  const row = { realm_id, message_id: messageId, user_id: null, edited_at: 1 };
  const entries = Array.from({ length: count }, () => ({ ...row, prev_content: text, prev_rendered_content: text }));
  for (const entry of entries) await database.insertInto("message_edit").values(entry).execute();
}

const full = (msg: RegExp) => ({ status: 400, error: { code: "BAD_REQUEST", msg: expect.stringMatching(msg) } });

describe("the edit history of a message", () => {
  it("accepts 1000 edits", async () => {
    const setup = await setUp();
    const [message_id = 0] = idsOf(setup);
    const edit = (content: string) => setup.as("member").editMessage({ message_id, content });
    await addEdits(message_id, 999, 10);
    expect(await edit("the last one")).toMatchObject({ status: 200 });
    expect(await edit("one more")).toMatchObject(full(/1000 times/));
    const answer = await setup.as("member").getMessages({ message_ids: [message_id], apply_markdown: false });
    expect(answer.ok && answer.data.messages[0]).toMatchObject({ content: "the last one" });
    expect(answer.ok && answer.data.messages[0]?.edit_history).toHaveLength(1000);
  });

  it("accepts 4 MiB of earlier texts, counted as UTF-8", async () => {
    const setup = await setUp();
    const [message_id = 0] = idsOf(setup);
    const edit = (content: string) => setup.as("member").editMessage({ message_id, content });
    await addEdits(message_id, 31, mebibyte / 16);
    expect(await edit("ä".repeat(10_000))).toMatchObject({ status: 200 });
    // The text takes 40,000 bytes in both forms, which just exceeds the limit.
    await addEdits(message_id, 1, mebibyte / 16 - 20_000);
    expect(await edit("short")).toMatchObject(full(/4 MiB/));
  });

  it("still accepts moves when full of edits, so that its topic can be resolved", async () => {
    const setup = await setUp(2);
    const [message_id = 0, other = 0] = idsOf(setup);
    const as = setup.as("member");
    const move = (topic: string) => as.editMessage({ message_id: other, topic, propagate_mode: "change_all" });
    await addEdits(message_id, 1999, 10);
    expect(await as.editMessage({ message_id, content: "one more" })).toMatchObject(full(/can no longer be edited/));
    expect(await move("guard")).toMatchObject({ status: 200 });
    expect(await move("watch")).toMatchObject(full(/2000 times can no longer be moved/));
    expect(await as.editMessage({ message_id: other, topic: "watch" })).toMatchObject({ status: 200 });
  });
});

describe("getMessages", () => {
  it("refuses a request for more than 32 MiB of content and edit history, but answers one for fewer messages", async () => {
    const setup = await setUp(40);
    const ids = idsOf(setup);
    for (const id of ids) await addEdits(id, 14, mebibyte / 32);
    const get = (count: number) => setup.as("member").getMessages({ message_ids: ids.slice(0, count) });
    expect(await get(40)).toMatchObject(full(/32 MiB; request fewer messages/));
    const answer = await get(30);
    const messages = answer.ok ? answer.data.messages : [];
    expect(messages.map(({ edit_history }) => edit_history?.length)).toEqual(Array(30).fill(14));
  });

  it("counts even short entries of the edit history", async () => {
    const setup = await setUp(2);
    const [first = 0, second = 0] = idsOf(setup);
    const { database } = server.services;
    await executeSql(
      database,
      `
      with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 170000)
      insert into message_edit (realm_id, message_id, edited_at, prev_topic, topic)
        select realm_id, id, i, 'a', 'b' from numbers, message where id = ${first}`,
    );
    const get = (id: number) => setup.as("member").getMessages({ message_ids: [id] });
    expect(await get(first)).toMatchObject(full(/32 MiB/));
    expect(await get(second)).toMatchObject({ status: 200 });
  });

  it.each([true, false])(
    "returns long contents with the right messages (apply_markdown %s)",
    async (apply_markdown) => {
      const setup = await setUp(3);
      const ids = idsOf(setup);
      const texts = ["ä".repeat(10_000), "short", "b".repeat(2_049)];
      for (const [index, message_id] of ids.entries()) {
        await setup.as("member").editMessage({ message_id, content: texts[index] ?? "" });
      }
      const answer = await setup.as("member").getMessages({ message_ids: ids, apply_markdown });
      const contents = answer.ok ? answer.data.messages.map(({ content }) => content) : [];
      expect(contents).toEqual(texts.map((text) => (apply_markdown ? `<p>${text}</p>\n` : text)));
    },
  );
});
