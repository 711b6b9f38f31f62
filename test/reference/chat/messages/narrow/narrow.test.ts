import { afterAll, describe, expect, it } from "vitest";
import { roles } from "../../../../../reference/chat/roles.js";
import { Refusal } from "../../../../../src/chat/server/index.js";
import { createWorld } from "../chat-world.js";

type Narrow = (string[] | { operator: string; operand: unknown; negated?: boolean })[];

const world = await createWorld();
const { database } = world;

const me = await world.user("me");
const ann = await world.user("ann");
const bob = await world.user("bob");
const hidden = await world.user("hidden");
await database
  .insertInto("inaccessible_user")
  .values({ realm_id: world.realmId, viewer_id: me, user_id: hidden })
  .execute();
const joined = await world.channel("Joined", [me, ann]);
const open = await world.channel("Open", [ann]);
const closed = await world.channel("Closed", [ann], { is_private: true });
const numeric = await world.channel("007", [me, ann]);

const sent = {
  "Who is there": await world.send(ann, { channel: joined, topic: "Castle" }, "Who is there"),
  "no topic": await world.send(ann, { channel: joined }, "no topic"),
  "about a solved thing": await world.send(bob, { channel: joined, topic: "✔ Castle" }, "about a solved thing"),
  "see https://example.com/a": await world.send(ann, { channel: joined, topic: "links" }, "see https://example.com/a"),
  "hello @**me**": await world.send(ann, { channel: joined, topic: "links" }, "hello @**me**"),
  "it is open": await world.send(ann, { channel: open, topic: "castle" }, "it is open"),
  "it is closed": await world.send(ann, { channel: closed, topic: "castle" }, "it is closed"),
  "in a channel of digits": await world.send(ann, { channel: numeric, topic: "digits" }, "in a channel of digits"),
  "just us": await world.send(ann, { users: [me] }, "just us"),
  "all three": await world.send(bob, { users: [me, ann] }, "all three"),
  "not for me": await world.send(bob, { users: [ann] }, "not for me"),
  "to myself": await world.send(me, { users: [me] }, "to myself"),
  'quoted "friend: or NOT* foe" Ärger': await world.send(
    me,
    { channel: joined, topic: "ends" },
    'quoted "friend: or NOT* foe" Ärger',
  ),
};
const received = [
  "Who is there",
  "no topic",
  "about a solved thing",
  "see https://example.com/a",
  "hello @**me**",
  "in a channel of digits",
  "just us",
  "all three",
  "to myself",
  'quoted "friend: or NOT* foe" Ärger',
];
const publicMessages = received
  .filter((text) => !["just us", "all three", "to myself"].includes(text))
  .concat("it is open");
const reaction = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };
await database
  .insertInto("reaction")
  .values({ realm_id: world.realmId, message_id: sent["no topic"], user_id: ann, ...reaction })
  .execute();
await database
  .insertInto("muted_topic")
  .values({ realm_id: world.realmId, user_id: me, channel_id: joined, topic: "LINKS" })
  .execute();
await database
  .updateTable("user_message")
  .set({ is_read: true })
  .where("user_id", "=", me)
  .where("message_id", "<", sent["just us"])
  .execute();

afterAll(() => world.close());

async function find(narrow: Narrow): Promise<string[]> {
  const { messages } = await world.get(me, {
    anchor: "oldest",
    num_before: 0,
    num_after: 100,
    narrow,
    apply_markdown: false,
  });
  return messages.map(({ content }) => content);
}

const all = [...received.slice(0, 5), "it is open", ...received.slice(5)];

const inOrder = (texts: readonly string[]) => all.filter((text) => texts.includes(text));

describe("a narrow", () => {
  it.each<{ narrow: Narrow; want: readonly string[] }>([
    { narrow: [], want: received },
    {
      narrow: [
        ["channel", "joined"],
        ["topic", "castle"],
      ],
      want: ["Who is there"],
    },
    {
      narrow: [
        { operator: "stream", operand: joined },
        { operator: "topic", operand: "CASTLE" },
      ],
      want: ["Who is there"],
    },
    { narrow: [["channel", String(open)]], want: ["it is open"] },
    { narrow: [["channel", "007"]], want: ["in a channel of digits"] },
    {
      narrow: [{ operator: "channel", operand: joined, negated: true }],
      want: ["in a channel of digits", "just us", "all three", "to myself"],
    },
    {
      narrow: [
        ["channel", "Joined"],
        ["channel", "Open"],
      ],
      want: [],
    },
    { narrow: [["channels", "public"]], want: publicMessages },
    {
      narrow: [
        ["streams", "public"],
        ["topic", "castle"],
      ],
      want: ["Who is there", "it is open"],
    },
    {
      narrow: [{ operator: "channels", operand: "public", negated: true }],
      want: ["just us", "all three", "to myself"],
    },
    { narrow: [["topic", "castle"]], want: ["Who is there"] },
    { narrow: [["topic", ""]], want: ["no topic"] },
    { narrow: [["topic", "general chat"]], want: ["no topic"] },
    {
      narrow: [{ operator: "topic", operand: "", negated: true }],
      want: received.filter((text) => text !== "no topic"),
    },
    { narrow: [["sender", "me"]], want: ["to myself", 'quoted "friend: or NOT* foe" Ärger'] },
    { narrow: [["sender", "BOB@example.com"]], want: ["about a solved thing", "all three"] },
    { narrow: [{ operator: "from", operand: bob }, ["channels", "public"]], want: ["about a solved thing"] },
    { narrow: [["dm", "ann@example.com"]], want: ["just us"] },
    { narrow: [{ operator: "pm-with", operand: [me, ann] }], want: ["just us"] },
    { narrow: [["dm", `ann@example.com, ${bob}`]], want: ["all three"] },
    { narrow: [{ operator: "dm", operand: me }], want: ["to myself"] },
    { narrow: [{ operator: "dm", operand: bob }], want: [] },
    { narrow: [{ operator: "dm", operand: ann, negated: true }], want: received.filter((text) => text !== "just us") },
    { narrow: [{ operator: "dm", operand: [] }], want: [] },
    { narrow: [{ operator: "dm", operand: [], negated: true }], want: received },
    { narrow: [{ operator: "dm-including", operand: [] }], want: [] },
    { narrow: [{ operator: "dm-including", operand: [], negated: true }], want: received },
    { narrow: [{ operator: "group-pm-with", operand: [] }], want: [] },
    { narrow: [{ operator: "dm-including", operand: ann }], want: ["just us", "all three"] },
    { narrow: [{ operator: "dm-including", operand: [ann, bob] }], want: ["all three"] },
    { narrow: [{ operator: "group-pm-with", operand: ann }], want: ["all three"] },
    { narrow: [{ operator: "id", operand: sent["just us"] }], want: ["just us"] },
    { narrow: [["id", String(sent["it is open"])]], want: [] },
    {
      narrow: [
        ["id", String(sent["it is open"])],
        ["channel", "Open"],
      ],
      want: ["it is open"],
    },
    {
      narrow: [
        ["near", String(sent["just us"])],
        ["is", "dm"],
      ],
      want: ["just us", "all three", "to myself"],
    },
    { narrow: [["has", "link"]], want: ["see https://example.com/a"] },
    { narrow: [["has", "image"]], want: [] },
    { narrow: [["has", "attachment"]], want: [] },
    { narrow: [["has", "reaction"]], want: ["no topic"] },
    { narrow: [["is", "dm"]], want: ["just us", "all three", "to myself"] },
    { narrow: [["is", "private"]], want: ["just us", "all three", "to myself"] },
    { narrow: [["is", "mentioned"]], want: ["hello @**me**"] },
    { narrow: [["is", "muted"]], want: ["see https://example.com/a", "hello @**me**"] },
    { narrow: [["is", "resolved"]], want: ["about a solved thing"] },
    { narrow: [["is", "unread"]], want: ["just us", "all three"] },
    { narrow: [{ operator: "is", operand: "unread", negated: true }, ["is", "dm"]], want: ["to myself"] },
    {
      narrow: [
        ["is", "mentioned"],
        ["channel", "Open"],
      ],
      want: [],
    },
    { narrow: [["search", "there who"]], want: ["Who is there"] },
    { narrow: [["search", '"there who"']], want: [] },
    { narrow: [["search", '"who IS']], want: ["Who is there"] },
    { narrow: [["search", "castle"]], want: ["Who is there", "about a solved thing"] },
    {
      narrow: [
        ["search", "castle"],
        ["channels", "public"],
      ],
      want: ["Who is there", "about a solved thing", "it is open"],
    },
    {
      narrow: [
        ["search", "it"],
        ["channel", "Open"],
      ],
      want: ["it is open"],
    },
    { narrow: [["search", "argers"]], want: [] },
    { narrow: [["search", "arger"]], want: ['quoted "friend: or NOT* foe" Ärger'] },
    { narrow: [["search", 'friend: NOT* (foe) -or ^quoted {or} a"b']], want: [] },
    { narrow: [["search", "friend: NOT* (foe) -or ^quoted {or}"]], want: ['quoted "friend: or NOT* foe" Ärger'] },
    { narrow: [["search", "topic:castle"]], want: [] },
    { narrow: [["search", "is OR hello"]], want: [] },
    { narrow: [["search", "us*"]], want: ["just us"] },
    { narrow: [["search", ""]], want: [] },
    { narrow: [["search", '"" !? *']], want: [] },
    {
      narrow: [{ operator: "search", operand: "is", negated: true }, ["is", "dm"]],
      want: ["just us", "all three", "to myself"],
    },
    {
      narrow: [["search", "castle"], { operator: "search", operand: "solved", negated: true }],
      want: ["Who is there"],
    },
    {
      narrow: [{ operator: "search", operand: "", negated: true }, ["is", "resolved"]],
      want: ["about a solved thing"],
    },
  ])("matches messages: $narrow", async ({ narrow, want }) => {
    expect(await find(narrow)).toEqual(inOrder(want));
  });

  it.each<{ narrow: Narrow; says: string }>([
    { narrow: [["colour", "red"]], says: "operator" },
    { narrow: [["__proto__", "x"]], says: "operator" },
    { narrow: [["channel"]], says: "an array" },
    { narrow: [[]], says: "an array" },
    { narrow: [["channel", "Joined", "x"]], says: "an array" },
    { narrow: [["channel", "Nowhere"]], says: "channel" },
    { narrow: [["channel", "Closed"]], says: "channel" },
    { narrow: [{ operator: "channel", operand: closed }], says: "channel" },
    { narrow: [{ operator: "channel", operand: null }], says: "channel" },
    { narrow: [{ operator: "channel", operand: 1e300 }], says: "channel" },
    { narrow: [["channels", "web-public"]], says: "channels" },
    { narrow: [{ operator: "topic", operand: 5 }], says: "topic" },
    { narrow: [["sender", "nobody@example.com"]], says: "sender" },
    { narrow: [{ operator: "sender", operand: hidden }], says: "sender" },
    { narrow: [{ operator: "dm", operand: [ann, 99_999] }], says: "dm" },
    { narrow: [{ operator: "dm", operand: "" }], says: "dm" },
    { narrow: [{ operator: "dm", operand: { ann } }], says: "dm" },
    { narrow: [{ operator: "dm", operand: Array.from({ length: 51 }, () => ann) }], says: "50 users" },
    { narrow: [["id", "first"]], says: "id" },
    { narrow: [{ operator: "near", operand: 1.5 }], says: "near" },
    { narrow: [{ operator: "near", operand: sent["just us"], negated: true }], says: "near cannot be negated" },
    { narrow: [["has", "word"]], says: "has" },
    { narrow: [["is", "followed"]], says: "is" },
    { narrow: [{ operator: "search", operand: ["a"] }], says: "search" },
    { narrow: [["search", Array.from({ length: 33 }, (_, i) => `w${i}`).join(" ")]], says: "32 words" },
    { narrow: [["search", "a".repeat(1001)]], says: "1000 characters" },
    { narrow: [{ operator: "topic", operand: "x", negated: "yes" } as never], says: "negated" },
    { narrow: Array.from({ length: 26 }, () => ["topic", "x"]), says: "25 conditions" },
  ])("refuses $narrow", async ({ narrow, says }) => {
    const refusal: unknown = await find(narrow).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(String(refusal)).toContain("400 [BAD_REQUEST] Invalid narrow: ");
    expect(String(refusal)).toContain(says);
  });

  it("does not find channels and users of another organization", async () => {
    const other = await createWorld(world.opened);
    const stranger = await other.user("stranger");
    const channel = await other.channel("Elsewhere", [stranger]);
    const message = async (narrow: Narrow) => {
      try {
        return await find(narrow);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const missing = 1_000_000;
    for (const operator of ["channel", "sender", "dm", "dm-including"]) {
      const operand = operator === "channel" ? channel : stranger;
      expect(await message([{ operator, operand }])).toBe(await message([{ operator, operand: missing }]));
    }
    expect(await message([["channel", "Elsewhere"]])).toBe(await message([["channel", "Nowhere"]]));
    expect(await message([["sender", "stranger@example.com"]])).toBe(await message([["sender", "nobody@example.com"]]));
  });

  it("finds a user by the dummy address if the real one is hidden", async () => {
    const guarded = await createWorld(world.opened);
    const [owner, reader, writer] = [
      await guarded.user("o", roles.owner),
      await guarded.user("r"),
      await guarded.user("w"),
    ];
    const group = await database
      .insertInto("user_group")
      .values({ realm_id: guarded.realmId, most_role: roles.owner, name: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    await database
      .updateTable("realm")
      .set({ real_emails_visible_to: group.id })
      .where("id", "=", guarded.realmId)
      .execute();
    const channel = await guarded.channel("c", [owner, reader, writer]);
    await guarded.send(writer, { channel }, "here");
    const dummy = `user${writer}@${(await guarded.realm()).host}`;
    const found = async (user: number, operand: string) =>
      (await guarded.get(user, { anchor: "newest", num_before: 5, num_after: 0, narrow: [["sender", operand]] }))
        .messages.length;
    expect(await found(owner, "w@example.com")).toBe(1);
    expect(await found(reader, dummy.toUpperCase())).toBe(1);
    expect(await found(writer, "w@example.com")).toBe(1);
    await expect(found(reader, "w@example.com")).rejects.toThrow("is not a user");
    await expect(found(owner, dummy)).rejects.toThrow("is not a user");
  });
});
