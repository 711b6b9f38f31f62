import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { createGetMessages } from "../../../../../reference/chat/messages/get-messages.js";
import { type Answer, createWorld, toAnswer } from "../chat-world.js";

const count = 3000;
const longText = "x".repeat(9000);
const world = await createWorld();
const { database, opened } = world;
const me = await world.user("me");
const ann = await world.user("ann");
const open = await world.channel("open", [me, ann]);

beforeAll(async () => {
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into message (realm_id, sender_id, channel_id, topic, sent_at, client, content, rendered_content)
      select ${world.realmId}, ${ann}, ${open}, 'topic', i, 'API', 'message ' || i, ${longText} || i from n`.execute(
    database,
  );
});
afterAll(() => world.close());

async function ask(num_before: number): Promise<Answer> {
  const narrow = [{ operator: "channel", operand: open }];
  const parameters = { anchor: "newest", num_before, num_after: 0, narrow };
  const call = { parameters, caller: await world.caller(me), featureLevel: newestLevel };
  const answer = opened.longRead(async (database) => {
    const get = createGetMessages({ database, behaviour: behaviourAt(newestLevel) });
    return get(call as Parameters<typeof get>[0]);
  });
  return toAnswer(await answer);
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

  it("shows a consistent snapshot of the database, whatever changes meanwhile", async () => {
    const answer = await ask(count);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await sql`update message set rendered_content = 'short', edited_at = 7 where channel_id = ${open}`.execute(
      database,
    );
    const { messages } = await answer;
    const seen = new Set(
      messages.map(({ content, last_edit_timestamp }) => `${content.length < 10} ${last_edit_timestamp}`),
    );
    expect(seen.size).toBe(1);
    expect((await ask(1)).messages).toMatchObject([{ content: "short", last_edit_timestamp: 7 }]);
  });
});
