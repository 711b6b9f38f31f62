import { type CompiledQuery, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexMessages } from "../../../../../reference/chat/messages/search-index.js";
import { type Database, openChatDatabase, type Query } from "../../../../../reference/chat/storage/database.js";
import { createWorld } from "../chat-world.js";

const stored = 50_000;
const explained: Step[] = [];
const database = explaining(openChatDatabase());
const world = createWorld(database);
const me = world.user("me");
const ann = world.user("ann");
const channel = world.channel("Denmark", [me, ann]);
const direct = world.send(ann, { users: [me] }, "first");

beforeAll(() => {
  const numbers = `with recursive numbers(i) as (select ${direct + 1} union all select i + 1 from numbers where i < ${direct + stored})`;
  database.execute(`
    ${numbers} insert into message (id, realm_id, sender_id, channel_id, topic, content, rendered_content, sent_at, client)
      select i, ${world.realmId}, ${ann}, ${channel}, case i when ${direct + 5} then '' else 'topic ' || (i % 10) end,
        case i when ${direct + 5} then 'rare' else 'words in common ' || i end, '<p>…</p>', i, 'API' from numbers;
    ${numbers} insert into user_message (user_id, message_id, is_read) select ${me}, i, 1 from numbers;
  `);
  indexMessages(database, sql`id > ${direct}`);
});
afterAll(() => database.close());

/** A step of SQLite's query plan. */
interface Step {
  readonly detail: string;
  /** The text of the query. */
  readonly text: string;
}

/** A database that records the plan of each query. */
function explaining(real: Database): Database {
  return {
    ...real,
    first: <Row>(query: Query<Row>) => {
      const compiled = query.compile(real.sql);
      const plan = { compile: () => explain(compiled) };
      explained.push(...real.all(plan).map(({ detail }) => ({ detail, text: compiled.sql })));
      return real.first(query);
    },
  };
}

function explain(query: CompiledQuery): CompiledQuery<{ detail: string }> {
  return { ...query, sql: `explain query plan ${query.sql}` };
}

/**
 * Steps that scan a whole table, sort, or collect all candidates first. Excludes sources that are bounded or stop with the
 * page.
 */
const unbounded =
  /^SCAN (?!\(subquery|json_each|within|(c|um)$|ms VIRTUAL TABLE|CONSTANT)|TEMP B-TREE FOR ORDER BY|^MATERIALIZE (c|um)$/;
/** SQLite's plan does not show the search of a full-text index, but the query does. */
const inFullText = /^SCAN ms VIRTUAL TABLE/;
const boundedFullText = /ms\.message_search match \?.* ms\.rowid >= .* and ms\.rowid < /s;

function unboundedSteps(): string[] {
  return explained
    .filter(({ detail, text }) => unbounded.test(detail) || (inFullText.test(detail) && !boundedFullText.test(text)))
    .map(({ detail }) => detail);
}

function expectStep(by: string | RegExp): void {
  const matching = typeof by === "string" ? expect.stringContaining(by) : expect.stringMatching(by);
  expect(explained.map(({ detail }) => detail)).toContainEqual(matching);
}

const narrows: Record<string, { narrow: string[][]; by: string | RegExp }> = {
  "personal history": {
    narrow: [],
    by: "SEARCH user_message USING PRIMARY KEY (user_id=? AND message_id>? AND message_id<?)",
  },
  "channel and topic": {
    narrow: [
      ["channel", "Denmark"],
      ["topic", "topic 3"],
    ],
    by: "SEARCH message USING COVERING INDEX message_by_topic (channel_id=? AND topic=? AND id>? AND id<?)",
  },
  channel: {
    narrow: [["channel", "Denmark"]],
    by: "SEARCH message USING COVERING INDEX message_by_channel (channel_id=? AND id>? AND id<?)",
  },
  "public channels": {
    narrow: [["channels", "public"]],
    by: "SEARCH message USING COVERING INDEX message_by_realm (realm_id=? AND id>? AND id<?)",
  },
  sender: {
    narrow: [["sender", "ann@example.com"]],
    by: "SEARCH message USING COVERING INDEX message_by_sender (sender_id=? AND id>? AND id<?)",
  },
  "direct messages": {
    narrow: [["dm", "ann@example.com"]],
    by: "SEARCH message USING COVERING INDEX message_by_conversation (conversation_id=? AND id>? AND id<?)",
  },
  mentions: {
    narrow: [["is", "mentioned"]],
    by: "SEARCH user_message USING INDEX user_message_mentioned (user_id=? AND message_id>? AND message_id<?)",
  },
  unread: {
    narrow: [["is", "unread"]],
    by: "SEARCH user_message USING INDEX user_message_unread (user_id=? AND message_id>? AND message_id<?)",
  },
  id: { narrow: [["id", "1"]], by: "SEARCH message USING INTEGER PRIMARY KEY (rowid=?)" },
  "search for a common word": { narrow: [["search", "common"]], by: inFullText },
  "search for a rare word": { narrow: [["search", "rare"]], by: inFullText },
  "search in a channel": {
    narrow: [
      ["search", "rare"],
      ["channel", "Denmark"],
    ],
    by: inFullText,
  },
};

describe("the query plan of a page of 20 messages", () => {
  it.each(Object.entries(narrows))("uses an index for %s", async (_, { narrow, by }) => {
    for (const anchor of ["newest", "oldest", "first_unread", direct + stored / 2] as const) {
      explained.length = 0;
      await world.get(me, { anchor, num_before: 10, num_after: 9, narrow });
      expect(unboundedSteps()).toEqual([]);
      if (typeof anchor === "number") expectStep(by);
    }
  });

  it("reads messages by id", () => {
    explained.length = 0;
    world.get(me, { message_ids: [direct, direct + 1] });
    expect(unboundedSteps()).toEqual([]);
    expectStep("SEARCH message USING INTEGER PRIMARY KEY (rowid=?)");
  });
});

it("returns the right page among very many messages", () => {
  const ids = (narrow: string[][], anchor: number | "newest") =>
    world.get(me, { anchor, num_before: 2, num_after: 1, narrow }).messages.map(({ id }) => id - direct);
  expect(ids([["search", "common"]], "newest")).toEqual([stored - 1, stored]);
  expect(ids([["search", "common"]], direct + 25_000)).toEqual([24_998, 24_999, 25_000, 25_001]);
  expect(ids([["search", "rare"]], "newest")).toEqual([5]);
  const topic = (number: number) => [
    ["channel", "Denmark"],
    ["topic", `topic ${number}`],
  ];
  expect(ids(topic((direct + stored) % 10), "newest")).toEqual([stored - 10, stored]);
});
