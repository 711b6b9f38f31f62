import { CompiledQuery, type KyselyPlugin, type RootOperationNode, SqliteQueryCompiler, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { createGetMessages } from "../../../../../reference/chat/messages/get-messages.js";
import { indexMessages } from "../../../../../reference/chat/messages/search-index.js";
import { type Answer, createWorld } from "../chat-world.js";

const stored = 50_000;
const world = await createWorld();
const { database, realmId } = world;
const me = await world.user("me");
const ann = await world.user("ann");
const channel = await world.channel("Denmark", [me, ann]);
const direct = await world.send(ann, { users: [me] }, "first");

beforeAll(async () => {
  await sql`
    with recursive numbers(i) as (select ${sql.lit(direct + 1)} union all select i + 1 from numbers where i < ${sql.lit(direct + stored)})
    insert into message (id, realm_id, sender_id, channel_id, topic, content, rendered_content, sent_at, client)
      select i, ${realmId}, ${ann}, ${channel}, case i when ${direct + 5} then '' else 'topic ' || (i % 10) end,
        case i when ${direct + 5} then 'rare' else 'words in common ' || i end, '<p>…</p>', i, 'API' from numbers`.execute(
    database,
  );
  await sql`
    insert into user_message (realm_id, user_id, message_id, is_read)
      select ${realmId}, ${me}, id, true from message where id > ${direct}`.execute(database);
  await indexMessages(database, sql`id > ${direct}`);
});
afterAll(() => world.close());

/** Makes a request. Returns its messages, and the steps of SQLite's query plan of each query. */
async function get(parameters: object) {
  const nodes: RootOperationNode[] = [];
  const recording: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const services = { database: database.withPlugin(recording), behaviour: behaviourAt(newestLevel) };
  const handler = createGetMessages(services);
  const caller = await world.caller(me);
  const call = { parameters, caller, featureLevel: newestLevel };
  const { messages } = (await handler(call as Parameters<typeof handler>[0])) as Answer;
  const steps: string[] = [];
  for (const node of nodes) {
    const { sql: text, parameters: values } = new SqliteQueryCompiler().compileQuery(node, { queryId: "explained" });
    // The values of prepared queries come later, and do not change the plan.
    const bound = values.map((value) => (typeof value === "object" ? null : value));
    const { rows } = await database.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, bound),
    );
    steps.push(...rows.map(({ detail }) => detail));
  }
  return { ids: messages.map(({ id }) => id - direct), steps };
}

/** Steps that scan a whole table, sort, or collect all candidates first. Excludes sources that are bounded. */
const unbounded =
  /^SCAN (?!json_each|within|CONSTANT|matching|size|found|\(subquery|ms VIRTUAL TABLE)|TEMP B-TREE FOR ORDER BY|^MATERIALIZE (?!found$)/;

const narrows: Record<string, { narrow: unknown[]; by: string }> = {
  "personal history": {
    narrow: [],
    by: "SEARCH um USING PRIMARY KEY (realm_id=? AND user_id=? AND message_id>?",
  },
  "channel and topic": {
    narrow: [
      ["channel", "Denmark"],
      ["topic", "topic 3"],
    ],
    by: "SEARCH message USING INDEX message_by_topic (realm_id=? AND channel_id=? AND topic_key=? AND id>?",
  },
  channel: {
    narrow: [["channel", "Denmark"]],
    by: "SEARCH message USING INDEX message_by_channel (realm_id=? AND channel_id=? AND id>?",
  },
  sender: {
    narrow: [["sender", "ann@example.com"]],
    by: "SEARCH message USING INDEX message_by_sender (realm_id=? AND sender_id=? AND id>?",
  },
  "direct messages": {
    narrow: [["dm", "ann@example.com"]],
    by: "SEARCH message USING INDEX message_by_conversation (realm_id=? AND conversation_id=? AND id>?",
  },
  mentions: {
    narrow: [["is", "mentioned"]],
    by: "SEARCH um USING INDEX user_message_mentioned (realm_id=? AND user_id=? AND message_id>?",
  },
  unread: {
    narrow: [["is", "unread"]],
    by: "SEARCH um USING INDEX user_message_unread (realm_id=? AND user_id=? AND message_id>?",
  },
  id: { narrow: [["id", "1"]], by: "SEARCH message USING INTEGER PRIMARY KEY (rowid=?)" },
  "search for a common word": { narrow: [["search", "common"]], by: "SCAN ms VIRTUAL TABLE INDEX" },
};

describe("the query plan of a page of 20 messages", () => {
  it.each(Object.entries(narrows))("uses an index for %s", async (_, { narrow, by }) => {
    // A prepared query is compiled, and recorded, once: the numeric anchor and `first_unread` share one.
    for (const anchor of [direct + stored / 2, "newest", "oldest", "first_unread"] as const) {
      const { steps } = await get({ anchor, num_before: 10, num_after: 9, narrow });
      expect(steps.filter((step) => unbounded.test(step))).toEqual([]);
      if (typeof anchor === "number") expect(steps).toContainEqual(expect.stringContaining(by));
    }
  });

  it("reads messages by id", async () => {
    const { steps } = await get({ message_ids: [direct, direct + 1] });
    // It sorts only the requested messages.
    expect(steps.filter((step) => unbounded.test(step) && !step.includes("ORDER BY"))).toEqual([]);
    expect(steps).toContainEqual(expect.stringContaining("SEARCH message USING INTEGER PRIMARY KEY (rowid=?)"));
  });
});

it("returns the right page among very many messages", async () => {
  const ids = async (narrow: string[][], anchor: number | "newest") =>
    (await get({ anchor, num_before: 2, num_after: 1, narrow })).ids;
  expect(await ids([["search", "common"]], "newest")).toEqual([stored - 1, stored]);
  expect(await ids([["search", "common"]], direct + 25_000)).toEqual([24_998, 24_999, 25_000, 25_001]);
  expect(await ids([["search", "rare"]], "newest")).toEqual([5]);
  const topic = (number: number) => [
    ["channel", "Denmark"],
    ["topic", `topic ${number}`],
  ];
  expect(await ids(topic((direct + stored) % 10), "newest")).toEqual([stored - 10, stored]);
});
