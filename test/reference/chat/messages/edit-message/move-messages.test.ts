import { type KyselyPlugin, type SqlBool, sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import type { Tables } from "../../../../../reference/chat/storage/tables.js";
import { chatServer } from "../../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../../support/set-up-chat.js";
import { organization, state } from "../states.js";

const server = await chatServer();
const old = await chatServer({ featureLevel: 161 });

const allCallers = ["owner", "administrator", "moderator", "member", "other", "guest", "bot"];
const permissive = organization({
  can_resolve_topics_group: allCallers,
  can_move_messages_between_topics_group: allCallers,
  can_move_messages_between_channels_group: allCallers,
  move_messages_within_stream_limit_seconds: null,
  move_messages_between_streams_limit_seconds: null,
  message_content_edit_limit_seconds: null,
});
const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
const channel = (name: string, subscribers: string[], more: object = {}) =>
  state("channel", { name, subscribers, ...more });
const castle = channel("castle", ["member", "other"]);
const sent = (contents: string[], params: object = {}) =>
  state("messages", { channel: "castle", topic: "watch", contents, ...params });

async function rowsOf<Name extends "message" | "message_edit" | "user_message" | "muted_topic">(
  table: Name,
  column: keyof Tables[Name] & string,
  value: number,
  of = server,
) {
  const { database } = of.services;
  return (await database
    .selectFrom(table as "message")
    .selectAll()
    .where(column as "id", "=", value)
    .execute()) as unknown as Record<string, unknown>[];
}

const topicOf = async (id: number, of = server) => (await rowsOf("message", "id", id, of))[0]?.topic;
const idsOf = (setup: ChatSetup) => setup.values.message_ids as number[];

describe("editMessage, moved messages", () => {
  it("matches topics case-insensitively, and renames only those whose case differs", async () => {
    const setup = await setUpChat(server, permissive, castle, sent(["one"]));
    const upper = await setup.add(sent(["two"], { topic: "WATCH" }));
    const [one = 0] = idsOf(setup);
    const [two = 0] = idsOf(upper);
    const edit = { message_id: one, topic: "Watch", propagate_mode: "change_all" } as const;
    expect(await setup.as("member").editMessage(edit)).toMatchObject({ ok: true });
    const again = { ...edit, message_id: two, topic: "WATCH" };
    expect(await setup.as("member").editMessage(again)).toMatchObject({ ok: true });
    expect([await topicOf(one), await topicOf(two)]).toEqual(["WATCH", "WATCH"]);
    expect(await rowsOf("message_edit", "message_id", two)).toHaveLength(2);
  });
});

describe("editMessage, effects of a move", () => {
  it("makes moved messages searchable only by their new topic", async () => {
    const setup = await setUpChat(server, permissive, castle, sent(["one", "two"], { topic: "qzalpha" }));
    const ids = idsOf(setup);
    await setup
      .as("member")
      .editMessage({ message_id: ids[0] ?? 0, topic: "qzbeta", propagate_mode: "change_all", ...quiet });
    const { database } = server.services;
    const search = async (words: string) =>
      (
        await database
          .selectFrom("message_search")
          .select("rowid")
          .where(sql<SqlBool>`message_search match ${words}`)
          .execute()
      ).map(({ rowid }) => rowid);
    expect([
      await search("qzalpha"),
      await search("topic: qzbeta"),
      await search(`content: one AND topic: qzbeta`),
    ]).toEqual([[], ids, ids.slice(0, 1)]);
  });

  it("transfers mutes with the whole topic", async () => {
    const mute = state("muted-topic", { channel: "castle", topic: "watch" });
    const setup = await setUpChat(server, permissive, castle, mute, sent(["one", "two"]));
    const [one = 0, two = 0] = idsOf(setup);
    const muted = async () =>
      (await rowsOf("muted_topic", "user_id", setup.credentials("member").user_id)).map(({ topic }) => topic);
    await setup.as("member").editMessage({ message_id: one, topic: "moat", ...quiet });
    expect(await muted()).toEqual(["watch"]);
    await setup.as("member").editMessage({ message_id: two, topic: "✔ watch", propagate_mode: "change_all" });
    expect(await muted()).toEqual(["✔ watch"]);
  });
});

describe("editMessage, time limits", () => {
  const limited = organization({ move_messages_within_stream_limit_seconds: 3600 });

  it.each([
    ["messages of others within seven days", "member", "other", 6, true],
    ["messages of others after seven days", "member", "other", 8, false],
  ])("uses a fixed limit before level 162: %s", async (_, caller, from, days, isMoved) => {
    const setup = await setUpChat(old, limited, castle, sent(["one"], { from, age_seconds: days * 86_400 }));
    const [message_id = 0] = idsOf(setup);
    const answer = await setup.as(caller).editMessage({ message_id, topic: "moat" });
    expect(answer).toMatchObject(isMoved ? { ok: true } : { status: 400, error: { code: "BAD_REQUEST" } });
    expect(await topicOf(message_id, old)).toBe(isMoved ? "moat" : "watch");
  });
});

describe("editMessage, statements", () => {
  it("runs only a few more statements for 5000 messages than for two, and lets other requests be served in between", async () => {
    const { database } = server.services;
    const costOf = async (copies: number) => {
      const setup = await setUpChat(server, permissive, castle, sent(["one"]), channel("harbour", ["member", "other"]));
      const [message_id = 0] = idsOf(setup);
      await sql`
      with recursive copy(number) as (select 1 union all select number + 1 from copy where number < ${copies})
      insert into message (realm_id, sender_id, channel_id, topic, content, rendered_content, sent_at, client)
      select realm_id, sender_id, channel_id, topic, content, rendered_content, sent_at, client
        from message join copy where id = ${message_id}`.execute(database);
      const stream_id = setup.id("stream_id");
      const edit = { message_id, topic: "moat", stream_id, propagate_mode: "change_all" } as const;
      const { transactions } = server.services;
      let statements = 0;
      let turns = 0;
      const counting = vi.spyOn(transactions, "write").mockImplementation((work) =>
        database.transaction().execute(async (transaction) => {
          let turn = setImmediate(function next() {
            turns++;
            turn = setImmediate(next);
          });
          const result = await work(transaction.withPlugin(countQueries(() => statements++)));
          clearImmediate(turn);
          return result;
        }),
      );
      expect(await setup.as("member").editMessage(edit)).toMatchObject({ ok: true });
      counting.mockRestore();
      expect(await rowsOf("message", "channel_id", stream_id)).toHaveLength(copies + 2);
      return { statements, turns };
    };
    const [many, few] = [await costOf(4999), await costOf(1)];
    // Ten batches of 500 messages: the edit history, the messages with their recipients, and the full-text index.
    expect(many.statements).toBeLessThan(few.statements + 10 * 8);
    expect(many.turns).toBeGreaterThanOrEqual(3 * 9);
  });
});

/** Calls back for each query. */
function countQueries(count: () => void): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      count();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
