import { afterAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../chat-world.js";

type Given = Parameters<World["get"]>[1];

// The contract and `page-model.test.ts` show what ranges contain; these are cases that they leave out.
const world = await createWorld();
const me = await world.user("me");
const ann = await world.user("ann");
const main = await world.channel("main", [me, ann]);
const sent: number[] = [];
for (const text of ["a", "b", "c", "d", "e"]) sent.push(await world.send(ann, { channel: main }, text));
const [a = 0, , c = 0] = sent;
const newest = 10_000_000_000_000_000;

afterAll(() => world.close());

async function get(parameters: Given, level?: number) {
  const narrow = parameters?.message_ids ? [] : [["channel", "main"]];
  const { messages, ...rest } = await world.get(me, { narrow, apply_markdown: false, ...parameters }, level);
  return { ...rest, contents: messages.map(({ content }) => content).join("") };
}

const found = { found_newest: false, found_oldest: false, found_anchor: false, history_limited: false };
const atNewest = { contents: "e", anchor: newest, ...found, found_newest: true };

describe("getMessages", () => {
  it.each<[Given, object]>([
    [{ num_before: 1, num_after: 1 }, atNewest],
    [{ use_first_unread_anchor: false, num_before: 1, num_after: 1 }, atNewest],
    [{ anchor: 1e300, num_before: 1, num_after: 0 }, atNewest],
    [
      { anchor: c, use_first_unread_anchor: false, num_before: 0, num_after: 0 },
      { contents: "c", anchor: c, ...found, found_anchor: true },
    ],
    [{ message_ids: [a, 0, -1, 1e300, 999_999] }, { contents: "a", ...found }],
    [{ message_ids: [] }, { contents: "", ...found }],
  ])("returns messages for %j", async (given, want) => {
    expect(await get(given)).toEqual(want);
  });

  it.each<[Given, says: string, level?: number]>([
    [{ anchor: 1, num_before: 1e300, num_after: 0 }, "5000"],
    [{ anchor: "newest", num_before: 1, num_after: 1 }, "anchor", 0],
    [{ message_ids: Array.from({ length: 5001 }, (_, index) => index) }, "5000"],
  ])("refuses %j", async (given, says, level) => {
    await expect(get(given, level)).rejects.toThrow('400 {"code":"BAD_REQUEST"');
    await expect(get(given, level)).rejects.toThrow(says);
  });
});
