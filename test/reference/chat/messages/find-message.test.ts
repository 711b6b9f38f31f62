import { afterAll, describe, expect, it } from "vitest";
import { roles } from "../../../../reference/chat/roles.js";
import { createWorld } from "./chat-world.js";

const world = await createWorld();
const { database } = world;

const writer = await world.user("writer");
const joiner = await world.user("joiner");
const stranger = await world.user("stranger");
const guest = await world.user("guest", roles.guest);
const owner = await world.user("owner", roles.owner);
const everyone = [writer, joiner, guest];
const channels = {
  public: await world.channel("public", everyone),
  private: await world.channel("private", everyone, { is_private: true }),
  protected: await world.channel("protected", [writer], { is_private: true, is_history_protected: true }),
};
for (const channel of Object.values(channels)) await world.send(writer, { channel }, "early");
for (const id of [joiner, guest]) {
  await database
    .insertInto("subscription")
    .values({ realm_id: world.realmId, user_id: id, channel_id: channels.protected })
    .execute();
}
for (const channel of Object.values(channels)) await world.send(writer, { channel }, "late");
const users = { writer, joiner, stranger, guest, owner };

afterAll(() => world.close());

async function read(user: number, narrow: string[][], at = world): Promise<string> {
  try {
    const { messages } = await at.get(user, {
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
  ])("are those that $user may read", async ({ user, ...want }) => {
    const got: Record<string, string> = {};
    for (const name of Object.keys(channels)) got[name] = await read(users[user], [["channel", name]]);
    expect(got).toEqual(want);
  });
});

describe("findMessage", () => {
  it("hides public channels from guests who never joined them", async () => {
    const other = await world.channel("other", [writer]);
    const id = await world.send(writer, { channel: other }, "not for guests");
    expect(await read(guest, [["channel", "other"]])).toBe("refused");
    expect(await read(guest, [["channels", "public"]])).toBe("early late");
    expect((await world.get(guest, { message_ids: [id] })).messages).toEqual([]);
    expect(await read(stranger, [["channel", "other"]])).toBe("not for guests");
  });

  it("hides a private channel from a user who has left it", async () => {
    const leaver = await world.user("leaver");
    const secret = await world.channel("secret", [writer, leaver], { is_private: true });
    await world.send(writer, { channel: secret }, "secret plan");
    expect(await read(leaver, [])).toBe("secret plan");
    await database.deleteFrom("subscription").where("user_id", "=", leaver).execute();
    expect(await read(leaver, [])).toBe("");
    expect(await read(leaver, [["search", "plan"]])).toBe("");
    expect(await read(leaver, [["sender", String(writer)]])).toBe("");
  });

  it("hides messages of other organizations", async () => {
    const elsewhere = await createWorld(world.opened);
    const alien = await elsewhere.user("alien", roles.owner);
    const channel = await elsewhere.channel("public", [alien]);
    await elsewhere.send(alien, { channel }, "early alien");
    for (const narrow of [
      [],
      [["channels", "public"]],
      [["search", "early"]],
      [
        ["search", "early"],
        ["channels", "public"],
      ],
    ]) {
      expect(await read(alien, narrow, elsewhere)).toBe("early alien");
      expect(await read(stranger, [...narrow, ["search", "alien"]])).toBe("");
    }
  });
});
