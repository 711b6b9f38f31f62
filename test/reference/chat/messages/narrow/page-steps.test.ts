import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { createGetMessages } from "../../../../../reference/chat/messages/get-messages.js";
import { indexMessages } from "../../../../../reference/chat/messages/search-index.js";
import type { Database } from "../../../../../reference/chat/storage/database.js";
import type { CallParameters } from "../../../../../src/chat/operation-types.js";
import { createWorld, toAnswer } from "../chat-world.js";

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

/** Makes a request in one transaction. Returns the ids of its messages, and the steps of SQLite's virtual machine. */
async function get(parameters: CallParameters<"getMessages">) {
  const caller = await world.caller(me);
  return world.opened.read(async (database) => {
    const before = await countSteps(database);
    const handler = createGetMessages({ database, behaviour: behaviourAt(newestLevel) });
    const call = { parameters, caller, featureLevel: newestLevel, header: () => undefined };
    const { messages } = toAnswer(await handler(call));
    return { ids: messages.map(({ id }) => id - direct), steps: (await countSteps(database)) - before };
  });
}

/** The steps of all statements of the connection so far ("The SQLITE_STMT Virtual Table"). */
async function countSteps(database: Database): Promise<number> {
  const { rows } = await sql<{ steps: number }>`
    select coalesce(sum(nstep), 0) as steps from sqlite_stmt where sql not like '%sqlite_stmt%'`.execute(database);
  return rows[0]?.steps ?? 0;
}

const term = (operator: string, operand: unknown) => ({ operator, operand });
const narrows = {
  "the personal history": [],
  "a channel and topic": [term("channel", "Denmark"), term("topic", "topic 3")],
  "a channel": [term("channel", "Denmark")],
  "a sender": [term("sender", "ann@example.com")],
  "direct messages": [term("dm", "ann@example.com")],
  mentions: [term("is", "mentioned")],
  "unread messages": [term("is", "unread")],
  "a search for a common word": [term("search", "common")],
  "a search for a rare word": [term("search", "rare")],
};

// A scan of all messages takes several steps for each.
describe("the steps that a page of 20 messages takes", () => {
  it.each(Object.entries(narrows))("are fewer than all messages for %s", async (_, narrow) => {
    for (const anchor of [direct + stored / 2, "newest", "oldest"] as const) {
      const { steps } = await get({ anchor, num_before: 10, num_after: 9, narrow });
      expect(steps).toBeGreaterThan(0);
      expect(steps).toBeLessThan(stored);
    }
  });

  it.each(["the personal history", "a channel", "unread messages", "mentions"] as const)(
    "are fewer than all messages for the first unread of %s",
    async (name) => {
      const page = { anchor: "first_unread", num_before: 10, num_after: 9, narrow: narrows[name] } as const;
      expect((await get(page)).steps).toBeLessThan(stored);
    },
  );

  it("are fewer than all messages for ids", async () => {
    const { ids, steps } = await get({ message_ids: [direct, direct + 1] });
    expect(ids).toEqual([0, 1]);
    expect(steps).toBeLessThan(stored);
  });
});

describe("a page among very many messages", () => {
  it("contains the messages nearest to the anchor", async () => {
    const ids = async (anchor: number | "newest", ...narrow: ReturnType<typeof term>[]) =>
      (await get({ anchor, num_before: 2, num_after: 1, narrow })).ids;
    expect(await ids("newest", term("search", "common"))).toEqual([stored - 1, stored]);
    expect(await ids(direct + 25_000, term("search", "common"))).toEqual([24_998, 24_999, 25_000, 25_001]);
    expect(await ids("newest", term("search", "rare"))).toEqual([5]);
    const topic = term("topic", `topic ${(direct + stored) % 10}`);
    expect(await ids("newest", term("channel", "Denmark"), topic)).toEqual([stored - 10, stored]);
  });
});
