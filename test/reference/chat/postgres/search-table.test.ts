import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { type PostgresCluster, startPostgres } from "../../../../scripts/bench/postgres-cluster.js";
import { needing } from "../../../support/needing.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const { describe } = needing("postgresql");

interface Table {
  readonly messages: readonly { readonly key: string; readonly topic: string; readonly content: string }[];
  readonly queries: readonly { readonly search: string; readonly found: readonly string[] }[];
}

const table = parse(readFileSync(new URL("search-table.yaml", import.meta.url), "utf8")) as Table;

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.stop());

describe.each([
  { engine: "SQLite", open: () => createChatReference({ states: true }) },
  {
    engine: "PostgreSQL",
    open: async () => createChatReference({ states: true, databaseUrl: await cluster.createDatabase("search") }),
  },
])("a search in $engine", ({ open }) => {
  let server: ChatReference;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server.close());

  it("finds the messages of the table", async () => {
    const place = { state: "channel" as const, params: { name: "stage", subscribers: ["member"] } };
    const setup = await setUpChat(server, place);
    const keys = new Map<number, string>();
    for (const { key, topic, content } of table.messages) {
      const { values } = await setup.add({ state: "message", params: { channel: "stage", topic, content } });
      keys.set(Number(values.message_id), key);
    }
    const member = setup.as("member");
    const wrong: object[] = [];
    for (const { search, found } of table.queries) {
      const narrow = [{ operator: "search", operand: search }];
      const page = await member.getMessages({ anchor: "newest", num_before: 200, num_after: 0, narrow });
      const got = page.ok ? page.data.messages.map(({ id }) => keys.get(id)) : page.error;
      if (JSON.stringify(got) !== JSON.stringify(found)) wrong.push({ search, found, got });
    }
    expect(wrong).toEqual([]);
  });
});
