import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { createHandlers } from "../../../../../reference/chat/handlers.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { indexMessages } from "../../../../../reference/chat/messages/search-index.js";
import type { Services } from "../../../../../reference/chat/services.js";
import { openSqlite } from "../../../../../reference/chat/storage/sqlite/open-sqlite.js";
import { LongReadError } from "../../../../../reference/chat/storage/transactions.js";
import { createWorld, toAnswer } from "../chat-world.js";

const stored = 200_000;
// A limit that no query reaches on a busy machine.
const opened = openSqlite(undefined, { maxLongReadMs: 600_000 });
const world = await createWorld(opened);
const { database, realmId } = world;
const me = await world.user("me");
const open = await world.channel("open", [me]);
const closed = await world.channel("closed", [me], { is_private: true });
const first = await world.send(me, { channel: open }, "first");

beforeAll(async () => {
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${stored})
    insert into message (id, realm_id, sender_id, channel_id, topic, sent_at, client, content, rendered_content)
      select ${first} + i, ${realmId}, ${me}, case i % 10 when 0 then ${open} else ${closed} end, 'topic', i, 'API',
        'common ' || case i % 2 when 0 then 'even' else 'odd' end, '' from n`.execute(database);
  await sql`
    insert into user_message (realm_id, user_id, message_id, is_read)
    select ${realmId}, ${me}, id, true from message where id > ${first}`.execute(database);
  await indexMessages(database, sql`id > ${first}`);
});
afterAll(() => world.close());

const behaviour = behaviourAt(newestLevel);
const services = { transactions: opened, database, behaviour } as object as Services;

/** Makes a request and counts the event loop turns meanwhile. */
async function ask(parameters: object, user: number = me) {
  const caller = await world.caller(user);
  let rounds = 0;
  let isDone = false;
  const round = () => {
    rounds++;
    if (!isDone) setImmediate(round);
  };
  setImmediate(round);
  const page = { anchor: "newest", num_before: 20, num_after: 0, ...parameters };
  const call = { parameters: page, caller, featureLevel: newestLevel };
  const { getMessages } = createHandlers(services);
  const answer = await getMessages(call as Parameters<typeof getMessages>[0]);
  isDone = true;
  const { messages } = toAnswer(answer);
  return { found: messages.length, rounds };
}

const not = (operand: string) => ({ operator: "search", operand, negated: true });

describe("the event loop", () => {
  it.each<{ name: string; narrow: unknown[] }>([
    { name: "resolved topics that do not exist", narrow: [["is", "resolved"]] },
    { name: "a common word, but nothing else", narrow: [["search", "common"], not("topic")] },
    {
      name: "a common word and resolved topics that do not exist",
      narrow: [
        ["search", "common"],
        ["is", "resolved"],
      ],
    },
  ])("keeps turning while a search looks for $name", async ({ narrow }) => {
    const got = await ask({ narrow });
    expect(got.found).toBe(0);
    expect(got.rounds).toBeGreaterThan(20);
  });

  it("keeps turning while a user can access none of the received messages any more", async () => {
    const left = await world.user("left");
    await sql`
      insert into user_message (realm_id, user_id, message_id, is_read)
      select ${realmId}, ${left}, id, true from message where channel_id = ${closed}`.execute(database);
    const got = await ask({}, left);
    expect(got.found).toBe(0);
    expect(got.rounds).toBeGreaterThan(20);
  });

  it("is not blocked by a query that takes too long, which is interrupted", async () => {
    const impatient = openSqlite(undefined, { maxLongReadMs: 2_000 });
    const endless = sql`with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n`;
    try {
      await expect(impatient.longRead((database) => endless.execute(database))).rejects.toThrow(LongReadError);
      // On a busy machine, any query may take too long.
      await expect
        .poll(async () => (await impatient.longRead((database) => sql`select 1 as one`.execute(database))).rows)
        .toEqual([{ one: 1 }]);
    } finally {
      await impatient.close();
    }
  });
});

describe("a long read", () => {
  it("runs after transactions that SQLite ended by itself", async () => {
    const ended = () => opened.longRead((database) => sql`rollback`.execute(database));
    for (let count = 0; count < 4; count++) await ended();
    expect((await opened.longRead((database) => sql`select 1 as one`.execute(database))).rows).toEqual([{ one: 1 }]);
  });
});
