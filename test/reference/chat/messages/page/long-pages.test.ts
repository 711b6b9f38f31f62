import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { createGetMessages } from "../../../../../reference/chat/messages/get-messages.js";
import { type Answer, createWorld } from "../chat-world.js";

const count = 3000;
const longText = "x".repeat(9000);
const world = createWorld();
const { database } = world;
const me = world.user("me");
const ann = world.user("ann");
const open = world.channel("open", [me, ann]);
const closed = world.channel("closed", [ann], { is_private: true });
const get = createGetMessages({ database, behaviour: behaviourAt(newestLevel) });
const isSeen = sql`channel_id = ${open}`;

beforeAll(() => {
  database.run(sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into message (realm_id, sender_id, channel_id, topic, sent_at, client, content, rendered_content)
      select ${world.realmId}, ${ann}, ${open}, 'topic', i, 'API', 'message ' || i, ${longText} || i from n`);
});
afterAll(() => database.close());

function ask(num_before: number) {
  const narrow = [{ operator: "channel", operand: open }];
  const call = {
    parameters: { anchor: "newest", num_before, num_after: 0, narrow },
    caller: world.caller(me),
    featureLevel: newestLevel,
  };
  return get(call as Parameters<typeof get>[0]) as Answer | Promise<Answer>;
}

describe("a page of long messages", () => {
  it("yields to other requests while it is described", async () => {
    let rounds = 0;
    let isDone = false;
    const round = () => {
      rounds++;
      if (!isDone) setImmediate(round);
    };
    setImmediate(round);
    const { messages } = await ask(count);
    isDone = true;
    expect(messages).toHaveLength(count);
    expect(messages.at(-1)?.content).toBe(`${longText}${count}`);
    // About 27 MB, read one megabyte at a time.
    expect(rounds).toBeGreaterThanOrEqual(20);
  });

  it("responds synchronously if it is small", () => {
    expect(ask(20)).not.toBeInstanceOf(Promise);
  });

  it("shows concurrent changes, and omits messages hidden meanwhile", async () => {
    const answer = ask(count);
    expect(answer).toBeInstanceOf(Promise);
    const [hidden = 0, edited = 0] = database
      .all(sql<{ id: number }>`select id from message where ${isSeen} order by id desc limit 2`)
      .map(({ id }) => id);
    database.run(sql`update message set channel_id = ${closed} where id = ${hidden}`);
    database.run(sql`update message set rendered_content = 'short', edited_at = 7 where id = ${edited}`);
    const { messages } = await answer;
    expect(messages).toHaveLength(count - 1);
    expect(messages.at(-1)).toMatchObject({ id: edited, content: "short", last_edit_timestamp: 7 });
  });
});
