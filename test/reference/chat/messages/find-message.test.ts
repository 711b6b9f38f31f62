import { afterAll, describe, expect, it } from "vitest";
import { roles } from "../../../../reference/chat/roles.js";
import { createWorld } from "./chat-world.js";

const world = createWorld();
const { database } = world;
const { sql } = database;
const writer = world.user("writer");
const joiner = world.user("joiner");
const stranger = world.user("stranger");
const guest = world.user("guest", roles.guest);
const owner = world.user("owner", roles.owner);
const everyone = [writer, joiner, guest];
const channels = {
  public: world.channel("public", everyone),
  private: world.channel("private", everyone, { is_private: true }),
  protected: world.channel("protected", [writer], { is_private: true, is_history_protected: true }),
};
for (const channel of Object.values(channels)) world.send(writer, { channel }, "early");
for (const id of [joiner, guest]) {
  database.run(sql.insertInto("subscription").values({ user_id: id, channel_id: channels.protected }));
}
for (const channel of Object.values(channels)) world.send(writer, { channel }, "late");
const users = { writer, joiner, stranger, guest, owner };

afterAll(() => database.close());

function read(user: number, narrow: string[][]): string {
  try {
    const { messages } = world.get(user, {
      anchor: "oldest",
      num_before: 0,
      num_after: 10,
      narrow,
      apply_markdown: false,
    });
    return messages.map(({ content }) => content).join(" ");
  } catch {
    return "refused";
  }
}

describe("messages visible through a channel operator", () => {
  it.each<{ user: keyof typeof users; public: string; private: string; protected: string }>([
    { user: "writer", public: "early late", private: "early late", protected: "early late" },
    { user: "joiner", public: "early late", private: "early late", protected: "late" },
    { user: "stranger", public: "early late", private: "refused", protected: "refused" },
    { user: "owner", public: "early late", private: "refused", protected: "refused" },
    { user: "guest", public: "early late", private: "early late", protected: "late" },
  ])("are those of $user", ({ user, ...want }) => {
    const got = Object.fromEntries(Object.keys(channels).map((name) => [name, read(users[user], [["channel", name]])]));
    expect(got).toEqual(want);
  });
});

it("hides public channels from guests who never joined them", () => {
  const other = world.channel("other", [writer]);
  const id = world.send(writer, { channel: other }, "not for guests");
  expect(read(guest, [["channel", "other"]])).toBe("refused");
  expect(read(guest, [["channels", "public"]])).toBe("early late");
  expect(world.get(guest, { message_ids: [id] }).messages).toEqual([]);
  expect(read(stranger, [["channel", "other"]])).toBe("not for guests");
});

it("hides a private channel after leaving it", () => {
  const leaver = world.user("leaver");
  const secret = world.channel("secret", [writer, leaver], { is_private: true });
  world.send(writer, { channel: secret }, "secret plan");
  expect(read(leaver, [])).toBe("secret plan");
  database.run(sql.deleteFrom("subscription").where("user_id", "=", leaver));
  expect(read(leaver, [])).toBe("");
  expect(read(leaver, [["search", "plan"]])).toBe("");
  expect(read(leaver, [["sender", String(writer)]])).toBe("");
});

it("hides other organizations", () => {
  const elsewhere = createWorld(database);
  const alien = elsewhere.user("alien", roles.owner);
  const channel = elsewhere.channel("public", [alien]);
  elsewhere.send(alien, { channel }, "early alien");
  for (const narrow of [
    [],
    [["channels", "public"]],
    [["search", "early"]],
    [
      ["search", "early"],
      ["channels", "public"],
    ],
  ]) {
    expect(read(alien, narrow)).toBe("early alien");
    expect(read(stranger, [...narrow, ["search", "alien"]])).toBe("");
  }
});
