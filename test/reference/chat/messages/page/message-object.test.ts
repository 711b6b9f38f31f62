import { afterAll, describe, expect, it } from "vitest";
import { roles } from "../../../../../reference/chat/roles.js";
import { avatarUrl } from "../../../../../reference/chat/users/avatar.js";
import { createWorld } from "../chat-world.js";

const world = await createWorld();
const { database, realmId } = world;

const owner = await world.user("owner", roles.owner);
const me = await world.user("me");
const ann = await world.user("ann");
const channel = await world.channel("Denmark", [owner, me, ann]);
const message = await world.send(ann, { channel }, "/me **waits** for @**me**");
const direct = await world.send(ann, { users: [me] }, 'half a pair \ud83d, "quotes"');

afterAll(() => world.close());

async function only(user: number, id: number, parameters: object = {}) {
  const [found] = (await world.get(user, { message_ids: [id], ...parameters })).messages;
  return found;
}

async function setRealm(settings: object): Promise<void> {
  await database.updateTable("realm").set(settings).where("id", "=", realmId).execute();
}

describe("the object of a message", () => {
  it("describes a channel message", async () => {
    expect(await only(me, message)).toEqual({
      id: message,
      type: "stream",
      sender_id: ann,
      sender_full_name: "ann",
      sender_email: "ann@example.com",
      avatar_url: avatarUrl(ann),
      client: "API",
      content: expect.stringContaining("<strong>waits</strong>"),
      content_type: "text/html",
      display_recipient: "Denmark",
      stream_id: channel,
      subject: "general chat",
      topic: "general chat",
      timestamp: Date.UTC(2026, 0, 1) / 1000,
      flags: ["mentioned"],
      is_me_message: true,
      reactions: [],
    });
  });

  it("describes a direct message", async () => {
    expect(await only(me, direct, { apply_markdown: false })).toEqual({
      ...(await only(me, message)),
      id: direct,
      type: "private",
      content: 'half a pair \ufffd, "quotes"',
      content_type: "text/x-markdown",
      display_recipient: [
        { id: me, email: "me@example.com", full_name: "me" },
        { id: ann, email: "ann@example.com", full_name: "ann" },
      ],
      stream_id: undefined,
      subject: "",
      topic: "",
      flags: [],
      is_me_message: false,
    });
  });

  it.each([
    { allow_empty_topic_name: true, want: "" },
    { allow_empty_topic_name: false, want: "general chat" },
  ])(
    "shows the empty topic, including in the history, with allow_empty_topic_name $allow_empty_topic_name",
    async ({ allow_empty_topic_name, want }) => {
      const id = await world.send(ann, { channel }, "moved");
      const edit = { realm_id: realmId, message_id: id, user_id: ann, edited_at: 5, prev_topic: "", topic: "castle" };
      await database.insertInto("message_edit").values(edit).execute();
      await database
        .insertInto("message_edit")
        .values({ ...edit, edited_at: 6, prev_topic: "castle", topic: "" })
        .execute();
      expect(await only(me, id, { allow_empty_topic_name })).toMatchObject({
        topic: want,
        subject: want,
        edit_history: [
          { user_id: ann, timestamp: 6, prev_topic: "castle", topic: want },
          { user_id: ann, timestamp: 5, prev_topic: want, topic: "castle" },
        ],
      });
    },
  );
});

describe("reactions and flags", () => {
  it("marks a message as read if the caller has not received it", async () => {
    const late = await world.user("late");
    expect((await only(late, message))?.flags).toEqual(["read", "historical"]);
    await database.updateTable("user_message").set({ is_read: true }).where("user_id", "=", me).execute();
    expect((await only(me, message))?.flags).toEqual(["read", "mentioned"]);
  });
});

describe("e-mail address and avatar of the sender", async () => {
  const hiddenFrom = await world.user("hidden-from");
  await database
    .insertInto("inaccessible_user")
    .values({ realm_id: realmId, viewer_id: hiddenFrom, user_id: ann })
    .execute();
  const closed = (
    await database
      .insertInto("user_group")
      .values({ realm_id: realmId, name: null, most_role: roles.owner })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
  const stored = avatarUrl(ann);
  const real = "ann@example.com";
  const dummy = `user${ann}@${(await world.realm()).host}`;
  const everyone = (await world.realm()).real_emails_visible_to;

  it.each([
    { name: "visible to owners", viewer: owner, group: closed, email: real, avatar: null },
    { name: "one's own", viewer: ann, group: closed, email: real, avatar: null },
    { name: "inaccessible user", viewer: hiddenFrom, group: everyone, email: dummy, avatar: stored },
  ])("depend on the viewer: $name", async ({ viewer, group, email, avatar }) => {
    await setRealm({ real_emails_visible_to: group });
    await database.updateTable("user").set({ has_gravatar: true }).where("id", "=", ann).execute();
    expect(await only(viewer, message, { client_gravatar: true })).toMatchObject({
      sender_email: email,
      sender_full_name: viewer === hiddenFrom ? "Unknown user" : "ann",
      avatar_url: avatar,
    });
    await setRealm({ real_emails_visible_to: everyone });
  });

  it("are hidden for recipients as well", async () => {
    await setRealm({ real_emails_visible_to: closed });
    expect((await only(me, direct))?.display_recipient).toEqual([
      { id: me, email: "me@example.com", full_name: "me" },
      { id: ann, email: dummy, full_name: "ann" },
    ]);
    await setRealm({ real_emails_visible_to: everyone });
  });
});
