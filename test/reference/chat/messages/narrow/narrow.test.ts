import { afterAll, describe, expect, it } from "vitest";
import { roles } from "../../../../../reference/chat/roles.js";
import { Refusal } from "../../../../../src/chat/server/index.js";
import { createWorld } from "../chat-world.js";

type Term = string[] | { operator: string; operand: unknown; negated?: boolean };
type Narrow = Term[];

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

const not = (operator: string, operand: unknown) => ({ operator, operand, negated: true });

const all = [...received.slice(0, 5), "it is open", ...received.slice(5)];

const inOrder = (texts: readonly string[]) => all.filter((text) => texts.includes(text));

describe("a narrow", () => {
  it.each<[Narrow, want: readonly string[]]>([
    [[["channel", "007"]], ["in a channel of digits"]],
    [[["sender", "me"]], ["to myself", 'quoted "friend: or NOT* foe" Ärger']],
    [[{ operator: "sender", operand: bob }, ["channels", "public"]], ["about a solved thing"]],
    [[["dm", `ann@example.com, ${bob}`]], ["all three"]],
    [[not("dm", ann)], received.filter((text) => text !== "just us")],
    [[["search", '"who IS']], ["Who is there"]],
    [[["search", 'friend: NOT* (foe) -or ^quoted {or} a"b']], []],
    [[["search", "friend: NOT* (foe) -or ^quoted {or}"]], ['quoted "friend: or NOT* foe" Ärger']],
    [[["search", "topic:castle"]], []],
    [[["search", "us*"]], ["just us"]],
    [[["search", ""]], []],
    [[["search", '"" !? *']], []],
    [[not("search", ""), ["is", "resolved"]], ["about a solved thing"]],
  ])("matches messages: %j", async (narrow, want) => {
    expect(await find(narrow)).toEqual(inOrder(want));
  });

  it.each<{ narrow: Narrow; says: string }>([
    { narrow: [["__proto__", "x"]], says: "operator" },
    { narrow: [["channel", "Nowhere"]], says: "channel" },
    { narrow: [{ operator: "channel", operand: 1e300 }], says: "channel" },
    { narrow: [["sender", "nobody@example.com"]], says: "sender" },
    { narrow: [{ operator: "sender", operand: hidden }], says: "sender" },
    { narrow: [{ operator: "dm", operand: "" }], says: "dm" },
    { narrow: [{ operator: "dm", operand: Array.from({ length: 51 }, () => ann) }], says: "50 users" },
    { narrow: [["search", Array.from({ length: 33 }, (_, i) => `w${i}`).join(" ")]], says: "32 words" },
    { narrow: [["search", "a".repeat(1001)]], says: "1000 characters" },
    { narrow: Array.from({ length: 26 }, () => ["topic", "x"]), says: "25 conditions" },
  ])("refuses $narrow", async ({ narrow, says }) => {
    const refusal: unknown = await find(narrow).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(String(refusal)).toContain(`400 {"code":"BAD_REQUEST","msg":"Invalid narrow: `);
    expect(String(refusal)).toContain(says);
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
