import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { createChatClient } from "../../../../src/chat/index.js";
import { type PostgresCluster, startPostgres } from "../../../support/postgres-cluster.js";
import { type RoundRobin, startRoundRobin } from "../../../support/round-robin.js";
import { setUpChat } from "../../../support/set-up-chat.js";

/** Kills of PostgreSQL. */
const rounds = Number(process.env.ACCORD_REPEAT ?? 1);
const callers = ["owner", "administrator", "moderator", "member"] as const;

let cluster: PostgresCluster;
let servers: ChatReference[];
let balancer: RoundRobin;

beforeAll(async () => {
  cluster = await startPostgres({ durable: true });
  const databaseUrl = await cluster.createDatabase("chat");
  servers = await Promise.all([1, 2].map(() => createChatReference({ databaseUrl, states: true })));
  balancer = await startRoundRobin(() => servers.map(({ url }) => url));
}, 60_000);
afterAll(async () => {
  await balancer.close();
  for (const server of servers) await server.close();
  cluster.stop();
});

it("answers 503 while PostgreSQL is killed, recovers, and keeps every acknowledged write", {
  timeout: 600_000,
}, async () => {
  const target = { url: balancer.url, statesUrl: `${balancer.url}/states` };
  const setup = await setUpChat(target, { state: "channel", params: { name: "stage", subscribers: [...callers] } });
  const writers: { edits: number; messageId: number; client: ReturnType<typeof createChatClient> }[] = [];
  for (const from of callers) {
    const { values } = await setup.add({ state: "message", params: { channel: "stage", topic: "t", from } });
    const { email, api_key: apiKey } = setup.credentials(from);
    const client = createChatClient({ baseUrl: balancer.url, email, apiKey, retry: { attempts: 1 } });
    writers.push({ edits: 0, messageId: Number(values.message_id), client });
  }
  const statuses = new Set<number>();
  let isOver = false;
  const load = writers.map(async (writer) => {
    while (!isOver) {
      const { messageId, client } = writer;
      const content = `edit ${writer.edits + 1}`;
      // The balancer may close a connection just when it is used.
      const edit = await client.editMessage({ message_id: messageId, content }).catch(() => undefined);
      if (edit === undefined) continue;
      statuses.add(edit.status);
      // A write whose answer was lost may have been stored; then there is nothing to change.
      if (edit.ok || edit.status === 400) writer.edits++;
      else await sleep(20);
    }
  });
  for (let round = 0; round < rounds; round++) {
    const before = writers.map(({ edits }) => edits);
    await expect
      .poll(() => writers.every(({ edits }, index) => edits > (before[index] ?? 0) + 1), { timeout: 30_000 })
      .toBe(true);
    cluster.kill();
    await sleep(500);
    await cluster.restart();
  }
  const recovered = writers.map(({ edits }) => edits);
  await expect
    .poll(() => writers.every(({ edits }, index) => edits > (recovered[index] ?? 0)), { timeout: 60_000 })
    .toBe(true);
  isOver = true;
  await Promise.all(load);
  expect(statuses).toContain(503);
  expect([...statuses].filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
  for (const { edits, messageId, client } of writers) {
    const page = await client.getMessages({ message_ids: [messageId], apply_markdown: false });
    const content = page.ok ? page.data.messages[0]?.content : "";
    expect(Number(/^edit (\d+)$/.exec(content ?? "")?.[1])).toBeGreaterThanOrEqual(edits);
  }
});
