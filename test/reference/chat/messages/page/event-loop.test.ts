import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { createGetMessages } from "../../../../../reference/chat/messages/get-messages.js";
import { indexMessages } from "../../../../../reference/chat/messages/search-index.js";
import { roles } from "../../../../../reference/chat/roles.js";
import { type Answer, createWorld } from "../chat-world.js";

const stored = 200_000;
const world = createWorld();
const { database } = world;
const elsewhere = createWorld(database);
const me = world.user("me");
const ann = world.user("ann");
const guest = world.user("guest", roles.guest);
const small = elsewhere.user("small");
const open = world.channel("open", [me, ann]);
const closed = world.channel("closed", [ann], { is_private: true });
const lobby = elsewhere.channel("lobby", [small]);
const first = elsewhere.send(small, { channel: lobby }, "common even odd");
const handler = createGetMessages({ database, behaviour: behaviourAt(newestLevel) });

beforeAll(() => {
  database.execute(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${stored})
    insert into message (id, realm_id, sender_id, channel_id, topic, sent_at, client, content, rendered_content)
      select ${first} + i, ${world.realmId}, ${me}, case i % 10 when 0 then ${open} else ${closed} end, 'topic', i, 'API',
        'common ' || case i % 2 when 0 then 'even' else 'odd' end, '' from n;
    insert into user_message (user_id, message_id, is_read) select ${me}, id, 1 from message where id > ${first};
    insert into subscription (user_id, channel_id) values (${me}, ${closed})`);
  indexMessages(database, sql`id > ${first}`);
}, 60_000);
afterAll(() => database.close());

const page = { anchor: "newest", num_before: 20, num_after: 0 };

/** Makes a request and counts the event loop turns meanwhile. */
async function ask(user: number, parameters: object) {
  const caller = (user === small ? elsewhere : world).caller(user);
  let rounds = 0;
  let isDone = false;
  const round = () => {
    rounds++;
    if (!isDone) setImmediate(round);
  };
  setImmediate(round);
  const call = { parameters: { ...page, ...parameters }, caller, featureLevel: newestLevel };
  const answer = handler(call as Parameters<typeof handler>[0]);
  const isAtOnce = !(answer instanceof Promise);
  const { messages } = (await answer) as Answer;
  isDone = true;
  return { found: messages.length, rounds, isAtOnce };
}

const not = (operand: string) => ({ operator: "search", operand, negated: true });

describe("the event loop during a search", () => {
  it.each<{ name: string; user?: number; narrow: unknown[]; anchor?: string; rounds: number }>([
    { name: "excludes a common word", narrow: [not("common")], rounds: 40 },
    { name: "excludes words that are common together", narrow: [not("common topic")], rounds: 40 },
    { name: "requires content that does not exist", narrow: [["has", "image"]], rounds: 60 },
    {
      name: "combines conditions that no index combines",
      narrow: [
        ["sender", "me"],
        ["is", "muted"],
      ],
      rounds: 60,
    },
    {
      name: "requires a common word and more",
      narrow: [
        ["search", "common"],
        ["has", "link"],
      ],
      rounds: 60,
    },
    { name: "requires public channels, as a guest", user: guest, narrow: [["channels", "public"]], rounds: 60 },
    {
      name: "requires links in public channels, which have none",
      user: ann,
      narrow: [
        ["channels", "public"],
        ["has", "link"],
      ],
      rounds: 60,
    },
    {
      name: "begins at the first unread",
      anchor: "first_unread",
      narrow: [
        ["channel", "closed"],
        ["topic", "topic"],
        ["has", "image"],
      ],
      rounds: 60,
    },
    {
      name: "has many conditions for each message",
      narrow: Array.from({ length: 24 }, () => ["dm-including", "ann@example.com"]),
      rounds: 400,
    },
  ])("continues if the search $name", async ({ user = me, narrow, anchor = "newest", rounds }) => {
    const got = await ask(user, { narrow, anchor });
    expect(got.found).toBe(0);
    expect(got.rounds).toBeGreaterThanOrEqual(rounds);
  });
});

describe("a synchronous response", () => {
  it.each<{ name: string; user?: number; narrow: unknown[]; found: number }>([
    { name: "the newest messages", narrow: [], found: 20 },
    { name: "a channel that is a tenth of all", narrow: [["channel", "open"]], found: 20 },
    { name: "a common word", narrow: [["search", "common"]], found: 20 },
    { name: "common words together", narrow: [["search", "common even"]], found: 20 },
    { name: "all but a common word", narrow: [not("odd")], found: 20 },
    { name: "a word without matches", narrow: [["search", "nowhere"]], found: 0 },
    { name: "a word that is common elsewhere only", user: small, narrow: [["search", "common"]], found: 1 },
    {
      name: "words that are common elsewhere, each for itself",
      user: small,
      narrow: [["search", "even odd"]],
      found: 1,
    },
  ])("is possible for $name", async ({ user = me, narrow, found }) => {
    const { isAtOnce, ...got } = await ask(user, { narrow });
    expect({ isAtOnce, found: got.found }).toEqual({ isAtOnce: true, found });
  });
});

it("omits messages that were hidden between time slices", async () => {
  const few = createGetMessages({ database, behaviour: behaviourAt(newestLevel) }, { candidates: 1000, ids: 4096 });
  const range = { ...page, narrow: [["topic", "topic"], ["channel", "open"], not("odd")], num_before: 3000 };
  const call = { parameters: range, caller: world.caller(me), featureLevel: newestLevel };
  const answer = few(call as Parameters<typeof few>[0]);
  expect(answer).toBeInstanceOf(Promise);
  const hidden = first + stored;
  database.run(sql`delete from subscription where user_id = ${me} and channel_id = ${closed}`);
  database.run(sql`update message set channel_id = ${closed} where id = ${hidden}`);
  const { messages } = (await answer) as Answer;
  expect(messages.map(({ id }) => id)).not.toContain(hidden);
  expect(messages.at(-1)?.id).toBe(hidden - 10);
});
