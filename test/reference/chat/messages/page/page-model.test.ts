import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { newestLevel } from "../../../../../generated/chat/request-levels.js";
import { findMessage } from "../../../../../reference/chat/access/find-message.js";
import { behaviourAt } from "../../../../../reference/chat/level-behaviour.js";
import { createGetMessages } from "../../../../../reference/chat/messages/get-messages.js";
import { roles } from "../../../../../reference/chat/roles.js";
import type { Message, User } from "../../../../../reference/chat/storage/tables.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { createWorld, toAnswer } from "../chat-world.js";

const world = await createWorld();
const { database } = world;
const elsewhere = await createWorld(world.opened);
const users = {
  me: await world.user("me"),
  ann: await world.user("ann"),
  guest: await world.user("guest", roles.guest),
  late: await world.user("late"),
};
const channels = {
  main: await world.channel("main", [users.me, users.ann, users.guest]),
  side: await world.channel("side", [users.ann]),
  closed: await world.channel("closed", [users.ann, users.me], { is_private: true }),
};
const alien = await elsewhere.user("alien");
const away = await elsewhere.channel("main", [alien]);
const topics = ["castle", "Castle", "✔ moat", ""];
/** Most common first. */
const words = ["often", "some", "few", "rare"];

let state = 7;
/** A number below `max` from a fixed sequence. */
function draw(max: number): number {
  state = (state * 1103515245 + 12345) % 2 ** 31;
  return Math.floor((state / 2 ** 31) * max);
}

function text(): string {
  const chosen = words.filter((_, index) => draw(4 ** index + 1) <= 1);
  const link = draw(9) === 0 ? ["https://example.com/"] : [];
  const mention = draw(12) === 0 ? ["@**me**"] : [];
  return [...chosen, ...link, ...mention, "end"].sort(() => draw(3) - 1).join(" ");
}

// The ids have gaps.
for (const first of [0, 4096, 300_000]) {
  await sql`update sqlite_sequence set seq = ${first} where name = 'message'`.execute(database);
  for (let index = 0; index < 90; index++) {
    const from = [users.me, users.ann, users.ann, users.guest][draw(4)] as number;
    const channel = Object.values(channels)[draw(3)] as number;
    if (draw(4) === 0) await elsewhere.send(alien, { channel: away }, text());
    else if (draw(5) === 0) {
      await world.send(from, { users: draw(2) === 0 ? [users.me] : [users.me, users.ann] }, text());
    } else await world.send(from, { channel, topic: topics[draw(topics.length)] as string }, text());
  }
}
await sql`update user_message set is_read = true where (message_id * 7919) % 23 > 0`.execute(database);
await sql`
  insert into reaction (realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type)
  select realm_id, id, ${users.me}, 'tada', '1f389', 'unicode_emoji' from message
  where id % 11 = 3 and realm_id = ${world.realmId}`.execute(database);
const all = await database.selectFrom("message").selectAll().orderBy("id").execute();
const ids = all.map(({ id }) => id);
afterAll(() => world.close());

interface Seen {
  readonly message: Message;
  readonly isReceived: boolean;
  readonly isUnread: boolean;
  readonly isMentioned: boolean;
}

const has = (wanted: string) => (seen: Seen) =>
  ` ${seen.message.content} ${seen.message.topic} `.toLowerCase().includes(` ${wanted} `);
const inChannel = ({ message }: Seen) => message.channel_id !== null;
const isPublic = ({ message }: Seen) => inChannel({ message } as Seen) && message.channel_id !== channels.closed;

/** Conditions of a narrow with their meaning. */
const conditions: { operator: string; operand: unknown; holds: (seen: Seen) => boolean }[] = [
  ...words.map((word) => ({ operator: "search", operand: word, holds: has(word) })),
  { operator: "search", operand: "often some", holds: (seen) => has("often")(seen) && has("some")(seen) },
  { operator: "search", operand: '"some often"', holds: has("some often") },
  {
    operator: "search",
    operand: "few rare end",
    holds: (seen) => ["few", "rare", "end"].every((one) => has(one)(seen)),
  },
  { operator: "search", operand: `realm${world.realmId}`, holds: () => false },
  { operator: "channel", operand: "main", holds: ({ message }) => message.channel_id === channels.main },
  { operator: "channels", operand: "public", holds: isPublic },
  {
    operator: "topic",
    operand: "castle",
    holds: (seen) => inChannel(seen) && seen.message.topic.toLowerCase() === "castle",
  },
  { operator: "sender", operand: users.ann, holds: ({ message }) => message.sender_id === users.ann },
  { operator: "is", operand: "dm", holds: (seen) => !inChannel(seen) },
  { operator: "is", operand: "unread", holds: ({ isUnread }) => isUnread },
  { operator: "is", operand: "mentioned", holds: ({ isMentioned }) => isMentioned },
  { operator: "is", operand: "resolved", holds: (seen) => inChannel(seen) && seen.message.topic.startsWith("✔ ") },
];

interface Term {
  readonly condition: (typeof conditions)[number];
  readonly negated: boolean;
}

const readable = new Map<number, Message[]>();

async function readableBy(reader: User): Promise<Message[]> {
  const known = readable.get(reader.id);
  if (known !== undefined) return known;
  const found: Message[] = [];
  for (const message of all) {
    if ((await findMessage(database, reader, message.id)) !== undefined) found.push(message);
  }
  readable.set(reader.id, found);
  return found;
}

/** The visible messages of a narrow, computed one by one. */
async function matching(
  user: number,
  terms: readonly Term[],
  byIds: boolean,
): Promise<{ id: number; isUnread: boolean }[]> {
  const reader = (await world.caller(user)).user;
  const positive = terms.filter(({ negated }) => !negated).map(({ condition }) => condition);
  const isAbout = (...operators: string[]) => positive.some(({ operator }) => operators.includes(operator));
  const isAboutReceived = positive.some(({ operand }) => operand === "unread" || operand === "mentioned");
  const received = isAboutReceived || (!byIds && !isAbout("channel", "channels"));
  const copies = await database.selectFrom("user_message").selectAll().where("user_id", "=", user).execute();
  const copyOf = new Map(copies.map((copy) => [copy.message_id, copy]));
  return (await readableBy(reader))
    .map((message) => {
      const copy = copyOf.get(message.id);
      return {
        message,
        isReceived: copy !== undefined,
        isUnread: copy?.is_read === false,
        isMentioned: copy?.is_mentioned === true,
      };
    })
    .filter((seen) => seen.isReceived || !received)
    .filter((seen) => terms.every(({ condition, negated }) => condition.holds(seen) !== negated))
    .map(({ message: { id }, isUnread }) => ({ id, isUnread }));
}

interface Range {
  readonly anchor: number | "newest" | "oldest" | "first_unread";
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
}

/** The page of a range by definition. */
function pageOf(matched: { id: number; isUnread: boolean }[], { anchor, before, after, includeAnchor }: Range) {
  const newest = 10_000_000_000_000_000;
  const start = {
    newest: () => newest,
    oldest: () => 0,
    first_unread: () => (matched.find(({ isUnread }) => isUnread) ?? matched.at(-1))?.id ?? newest,
  };
  const from = typeof anchor === "number" ? anchor : start[anchor]();
  const found = matched.map(({ id }) => id);
  const below = found.filter((id) => id < from);
  const page = [
    ...below.slice(Math.max(below.length - before, 0)),
    ...found.filter((id) => id === from && includeAnchor),
    ...found.filter((id) => id > from).slice(0, after),
  ];
  return {
    anchor: from,
    ids: page,
    found_newest: page.length > 0 ? page.at(-1) === found.at(-1) : found.every((id) => id <= from),
    found_oldest: page.length > 0 ? page[0] === found[0] : found.every((id) => id >= from),
    found_anchor: includeAnchor && found.includes(from),
    history_limited: false,
  };
}

async function ask(user: number, parameters: object) {
  const handler = createGetMessages({ database, behaviour: behaviourAt(newestLevel) });
  return handler({ parameters, caller: await world.caller(user), featureLevel: newestLevel } as Parameters<
    typeof handler
  >[0]);
}

async function answerTo(...call: Parameters<typeof ask>) {
  const { messages, ...rest } = toAnswer(await ask(...call));
  return { ...rest, ids: messages.map(({ id }) => id) };
}

const user = fc.constantFrom(users.me, users.guest, users.ann, users.late);
const terms = fc.array(fc.record({ condition: fc.constantFrom(...conditions), negated: fc.boolean() }), {
  maxLength: 3,
});
const range = fc.record<Range>({
  anchor: fc.oneof(
    fc.constantFrom("newest", "oldest", "first_unread"),
    fc.constantFrom(...ids),
    fc.constantFrom(-1, 4096, 200_000, 400_000, 1e15),
  ),
  before: fc.constantFrom(0, 1, 5, 60),
  after: fc.constantFrom(0, 1, 5, 60),
  includeAnchor: fc.boolean(),
});
/** Converts terms to the narrow that the API takes. */
const narrowOf = (all: readonly Term[]) =>
  all.map(({ condition: { operator, operand }, negated }) => ({ operator, operand, negated }));

it("returns the page of any narrow and range", async () => {
  const property = fc.asyncProperty(user, terms, range, async (user, terms, range) => {
    const { anchor, before: num_before, after: num_after, includeAnchor: include_anchor } = range;
    const parameters = { anchor, num_before, num_after, include_anchor, narrow: narrowOf(terms) };
    const got = await answerTo(user, parameters);
    expect(got).toEqual(pageOf(await matching(user, terms, false), range));
  });
  await fc.assert(property, { seed: propertySeed, numRuns: propertyRuns(300) });
});

it("returns the requested messages that match a random narrow", async () => {
  const wanted = fc.subarray([...ids, 0, 777_777], { maxLength: 200 });
  const property = fc.asyncProperty(user, terms, wanted, async (user, terms, wanted) => {
    const got = await answerTo(user, { message_ids: wanted, narrow: narrowOf(terms) });
    const chosen = (await matching(user, terms, true)).map(({ id }) => id);
    expect(got.ids).toEqual(chosen.filter((id) => wanted.includes(id)));
  });
  await fc.assert(property, { seed: propertySeed, numRuns: propertyRuns(60) });
});
