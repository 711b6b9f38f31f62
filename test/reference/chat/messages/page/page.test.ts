import { afterAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../chat-world.js";

type Given = Parameters<World["get"]>[1];

const world = await createWorld();
const { database } = world;

const me = await world.user("me");
const ann = await world.user("ann");
const main = await world.channel("main", [me, ann]);
const read = await world.channel("read", [me, ann]);
const empty = await world.channel("empty", [me, ann]);
const sent: number[] = [];
for (const text of ["a", "b", "c", "d", "e"]) sent.push(await world.send(ann, { channel: main }, text));
const [a, b, c, d, e] = sent as [number, number, number, number, number];
const other = await world.send(ann, { channel: read }, "x");
for (const id of [a, b, other]) {
  await database.updateTable("user_message").set({ is_read: true }).where("message_id", "=", id).execute();
}
const newest = 10_000_000_000_000_000;

afterAll(() => world.close());

async function get(parameters: Given, level?: number) {
  const narrow = parameters?.message_ids ? [] : [["channel", "main"]];
  const { messages, ...rest } = await world.get(me, { narrow, apply_markdown: false, ...parameters }, level);
  return { ...rest, contents: messages.map(({ content }) => content).join("") };
}

describe("a range", () => {
  it.each<{ given: Given; contents: string; anchor: number; found: string }>([
    { given: { anchor: "newest", num_before: 2, num_after: 0 }, contents: "de", anchor: newest, found: "newest" },
    {
      given: { anchor: "newest", num_before: 5, num_after: 9 },
      contents: "abcde",
      anchor: newest,
      found: "newest oldest",
    },
    { given: { anchor: newest, num_before: 2, num_after: 5 }, contents: "de", anchor: newest, found: "newest" },
    { given: { anchor: "newest", num_before: 0, num_after: 0 }, contents: "", anchor: newest, found: "newest" },
    { given: { anchor: "oldest", num_before: 0, num_after: 0 }, contents: "", anchor: 0, found: "oldest" },
    {
      given: { anchor: e, num_before: 0, num_after: 10, include_anchor: false },
      contents: "",
      anchor: e,
      found: "newest",
    },
    {
      given: { anchor: a, num_before: 10, num_after: 0, include_anchor: false },
      contents: "",
      anchor: a,
      found: "oldest",
    },
    { given: { anchor: c, num_before: 0, num_after: 0, include_anchor: false }, contents: "", anchor: c, found: "" },
    { given: { anchor: other, num_before: 0, num_after: 1 }, contents: "", anchor: other, found: "newest" },
    { given: { anchor: a - 1, num_before: 1, num_after: 0 }, contents: "", anchor: a - 1, found: "oldest" },
    { given: { num_before: 1, num_after: 1 }, contents: "e", anchor: newest, found: "newest" },
    {
      given: { use_first_unread_anchor: false, num_before: 1, num_after: 1 },
      contents: "e",
      anchor: newest,
      found: "newest",
    },
    { given: { anchor: "oldest", num_before: 0, num_after: 2 }, contents: "ab", anchor: 0, found: "oldest" },
    { given: { anchor: "oldest", num_before: 9, num_after: 5 }, contents: "abcde", anchor: 0, found: "newest oldest" },
    { given: { anchor: "oldest", num_before: 0, num_after: 4 }, contents: "abcd", anchor: 0, found: "oldest" },
    { given: { anchor: c, num_before: 1, num_after: 1 }, contents: "bcd", anchor: c, found: "anchor" },
    { given: { anchor: c, num_before: 2, num_after: 2 }, contents: "abcde", anchor: c, found: "newest oldest anchor" },
    { given: { anchor: c, num_before: 0, num_after: 0 }, contents: "c", anchor: c, found: "anchor" },
    { given: { anchor: c, num_before: 1, num_after: 1, include_anchor: false }, contents: "bd", anchor: c, found: "" },
    {
      given: { anchor: e, num_before: 4, num_after: 0, include_anchor: false },
      contents: "abcd",
      anchor: e,
      found: "oldest",
    },
    {
      given: { anchor: a, num_before: 0, num_after: 4, include_anchor: false },
      contents: "bcde",
      anchor: a,
      found: "newest",
    },
    { given: { anchor: e, num_before: 0, num_after: 0 }, contents: "e", anchor: e, found: "newest anchor" },
    { given: { anchor: a, num_before: 0, num_after: 1 }, contents: "ab", anchor: a, found: "oldest anchor" },
    { given: { anchor: -5, num_before: 1, num_after: 1 }, contents: "a", anchor: -5, found: "oldest" },
    { given: { anchor: other, num_before: 1, num_after: 1 }, contents: "e", anchor: other, found: "newest" },
    { given: { anchor: 1e300, num_before: 1, num_after: 0 }, contents: "e", anchor: newest, found: "newest" },
    { given: { anchor: "first_unread", num_before: 1, num_after: 1 }, contents: "bcd", anchor: c, found: "anchor" },
    {
      given: { use_first_unread_anchor: true, num_before: 0, num_after: 0 },
      contents: "c",
      anchor: c,
      found: "anchor",
    },
    {
      given: { anchor: c, use_first_unread_anchor: false, num_before: 0, num_after: 0 },
      contents: "c",
      anchor: c,
      found: "anchor",
    },
    {
      given: { anchor: "first_unread", num_before: 0, num_after: 0, narrow: [["search", "d"]] },
      contents: "d",
      anchor: d,
      found: "newest oldest anchor",
    },
    {
      given: {
        anchor: "first_unread",
        num_before: 0,
        num_after: 0,
        narrow: [
          ["channel", "main"],
          ["topic", ""],
        ],
      },
      contents: "c",
      anchor: c,
      found: "anchor",
    },
    {
      given: { anchor: "first_unread", num_before: 0, num_after: 0, narrow: [["channel", "read"]] },
      contents: "x",
      anchor: other,
      found: "newest oldest anchor",
    },
    {
      given: { anchor: "first_unread", num_before: 1, num_after: 1, narrow: [["channel", "empty"]] },
      contents: "",
      anchor: newest,
      found: "newest oldest",
    },
    {
      given: { anchor: c, num_before: 2500, num_after: 2499 },
      contents: "abcde",
      anchor: c,
      found: "newest oldest anchor",
    },
    {
      given: { anchor: "newest", num_before: 5000, num_after: 0 },
      contents: "abcde",
      anchor: newest,
      found: "newest oldest",
    },
    {
      given: { anchor: c, num_before: 2500, num_after: 2500, include_anchor: false },
      contents: "abde",
      anchor: c,
      found: "newest oldest",
    },
  ])("returns messages for $given", async ({ given, contents, anchor, found }) => {
    const got = await get(given);
    const names = ["newest", "oldest", "anchor"] as const;
    const foundNames = names.filter((name) => got[`found_${name}`]).join(" ");
    expect({ contents: got.contents, anchor: got.anchor, found: foundNames }).toEqual({ contents, anchor, found });
    expect(got.history_limited).toBe(false);
  });

  it("returns matches of a search that lie far behind the newest messages", async () => {
    const many = await world.channel("many", [me]);
    for (let index = 0; index < 60; index++)
      await world.send(ann, { channel: many }, index % 20 === 0 ? "rare often" : "often");
    const narrow = (words: string) => [
      ["channel", "many"],
      ["search", words],
    ];
    const ids = async (words: string) =>
      (await world.get(me, { anchor: "newest", num_before: 3, num_after: 0, narrow: narrow(words) })).messages.map(
        ({ id }) => id,
      );
    const [first = 0] = await ids("often");
    expect(await ids("often")).toEqual([first, first + 1, first + 2]);
    expect(await ids("rare")).toEqual([first - 57, first - 37, first - 17]);
  });
});

describe("an invalid range", () => {
  it.each<{ given: Given; says: string; level?: number }>([
    { given: { anchor: 1, num_after: 1 }, says: "num_before" },
    { given: { anchor: 1, num_before: 1 }, says: "num_after" },
    { given: { anchor: 1, num_before: -1, num_after: 1 }, says: "num_before" },
    { given: { anchor: 1, num_before: 1, num_after: -1 }, says: "num_after" },
    { given: { anchor: "newest", num_before: 5001, num_after: 0 }, says: "5000" },
    { given: { anchor: 1, num_before: 2500, num_after: 2501 }, says: "5000" },
    { given: { anchor: 1, num_before: 1e300, num_after: 0 }, says: "5000" },
    {
      given: { anchor: 1, use_first_unread_anchor: true, num_before: 1, num_after: 1 },
      says: "use_first_unread_anchor",
    },
    { given: { anchor: "newest", num_before: 1, num_after: 1 }, says: "anchor", level: 0 },
    { given: { message_ids: [1], anchor: "newest" }, says: "anchor" },
    { given: { message_ids: [1], include_anchor: true }, says: "include_anchor" },
    { given: { message_ids: [1], num_before: 0 }, says: "num_before" },
    { given: { message_ids: [1], num_after: 0 }, says: "num_after" },
    { given: { message_ids: [1], use_first_unread_anchor: false }, says: "use_first_unread_anchor" },
    { given: { message_ids: Array.from({ length: 5001 }, (_, index) => index) }, says: "5000" },
  ])("is refused: $given", async ({ given, says, level }) => {
    await expect(get(given, level)).rejects.toThrow("400 [BAD_REQUEST]");
    await expect(get(given, level)).rejects.toThrow(says);
  });
});

describe("messages by id", async () => {
  const stranger = await world.user("stranger");
  const open = await world.channel("open", [stranger]);
  const closed = await world.channel("closed", [stranger], { is_private: true });
  const inOpen = await world.send(stranger, { channel: open }, "o");
  const inClosed = await world.send(stranger, { channel: closed }, "s");
  const direct = await world.send(stranger, { users: [ann] }, "p");
  const elsewhere = await createWorld(world.opened);
  const alien = await elsewhere.user("alien");
  const inOther = await elsewhere.send(alien, { channel: await elsewhere.channel("open", [alien]) }, "z");

  it.each<{ name: string; given: Given; contents: string }>([
    { name: "come once each, in the order of their ids", given: { message_ids: [c, a, c] }, contents: "ac" },
    { name: "are omitted if unknown", given: { message_ids: [a, 0, -1, 1e300, 999_999] }, contents: "a" },
    {
      name: "are omitted if not accessible",
      given: { message_ids: [inOpen, inClosed, direct, inOther] },
      contents: "o",
    },
    {
      name: "must match the narrow",
      given: { message_ids: [a, inOpen], narrow: [["channel", "open"]] },
      contents: "o",
    },
    { name: "may be searched", given: { message_ids: [a, b], narrow: [["search", "b"]] }, contents: "b" },
    { name: "may be none", given: { message_ids: [] }, contents: "" },
  ])("$name", async ({ given, contents }) => {
    const want = { contents, found_newest: false, found_oldest: false, found_anchor: false, history_limited: false };
    expect(await get(given)).toEqual(want);
  });
});

describe("an empty channel", () => {
  it("reports both ends as found", async () => {
    expect(
      await world.get(me, {
        anchor: "newest",
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: "channel", operand: empty }],
      }),
    ).toMatchObject({ found_newest: true, found_oldest: true, messages: [] });
  });
});
