import { afterAll, describe, expect, it } from "vitest";
import { findOrCreateConversation } from "../../../../../reference/chat/messages/destination.js";
import { roles } from "../../../../../reference/chat/roles.js";
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
      avatar_url: `/user_avatars/${ann}.svg`,
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

describe("the edit history", async () => {
  const id = await world.send(ann, { channel, topic: "castle" }, "third");
  const edits = [
    { edited_at: 10, prev_content: "first", prev_rendered_content: "<p>first</p>" },
    { edited_at: 20, prev_channel_id: 7, channel_id: channel },
    { edited_at: 30, prev_content: "second", prev_rendered_content: "<p>second</p>", prev_topic: "a", topic: "castle" },
  ];
  for (const edit of edits)
    await database
      .insertInto("message_edit")
      .values({ realm_id: realmId, message_id: id, user_id: me, ...edit })
      .execute();
  await database.updateTable("message").set({ edited_at: 30, moved_at: 20 }).where("id", "=", id).execute();

  it("lists edits, newest first, each with its changes", async () => {
    expect(await only(me, id)).toMatchObject({ last_edit_timestamp: 30, last_moved_timestamp: 20 });
    expect((await only(me, id))?.edit_history).toEqual([
      {
        user_id: me,
        timestamp: 30,
        prev_content: "second",
        prev_rendered_content: "<p>second</p>",
        prev_topic: "a",
        topic: "castle",
      },
      { user_id: me, timestamp: 20, prev_stream: 7, stream: channel },
      { user_id: me, timestamp: 10, prev_content: "first", prev_rendered_content: "<p>first</p>" },
    ]);
  });

  it("is omitted if the organization hides it", async () => {
    await setRealm({ edit_history_visible: false });
    expect(await only(me, id)).not.toHaveProperty("edit_history");
    expect(await only(me, id)).toMatchObject({ last_edit_timestamp: 30, last_moved_timestamp: 20 });
    await setRealm({ edit_history_visible: true });
  });
});

describe("reactions and flags", () => {
  it("lists reactions", async () => {
    const id = await world.send(ann, { channel }, "party");
    const tada = { emoji_name: "tada", emoji_code: "1f389", reaction_type: "unicode_emoji" };
    const raven = { emoji_name: "raven", emoji_code: "12", reaction_type: "realm_emoji" };
    for (const emoji of [tada, raven]) {
      for (const user_id of [me, ann])
        await database
          .insertInto("reaction")
          .values({ realm_id: realmId, message_id: id, user_id, ...emoji })
          .execute();
    }
    const { reactions } = (await only(me, id)) as { reactions?: object[] };
    const want = [me, ann].flatMap((user_id) => [tada, raven].map((emoji) => ({ ...emoji, user_id })));
    expect(reactions).toHaveLength(4);
    expect(reactions).toEqual(expect.arrayContaining(want));
  });

  it("marks a message as read if the caller has not received it", async () => {
    const late = await world.user("late");
    expect((await only(late, message))?.flags).toEqual(["read", "historical"]);
    await database.updateTable("user_message").set({ is_read: true }).where("user_id", "=", me).execute();
    expect((await only(me, message))?.flags).toEqual(["read", "mentioned"]);
  });
});

describe("e-mail address and avatar of the sender", async () => {
  const reader = await world.user("reader");
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
  const gravatar = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{64}\?d=identicon$/;
  const stored = `/user_avatars/${ann}.svg`;
  const real = "ann@example.com";
  const dummy = `user${ann}@${(await world.realm()).host}`;
  const everyone = (await world.realm()).real_emails_visible_to;

  it.each([
    { name: "visible", viewer: reader, group: everyone, hasGravatar: true, client: true, email: real, avatar: null },
    {
      name: "visible, without client_gravatar",
      viewer: reader,
      group: everyone,
      hasGravatar: true,
      client: false,
      email: real,
      avatar: gravatar,
    },
    {
      name: "no gravatar",
      viewer: reader,
      group: everyone,
      hasGravatar: false,
      client: true,
      email: real,
      avatar: stored,
    },
    { name: "hidden", viewer: reader, group: closed, hasGravatar: true, client: true, email: dummy, avatar: stored },
    {
      name: "hidden, without client_gravatar",
      viewer: reader,
      group: closed,
      hasGravatar: true,
      client: false,
      email: dummy,
      avatar: stored,
    },
    {
      name: "visible to owners",
      viewer: owner,
      group: closed,
      hasGravatar: true,
      client: true,
      email: real,
      avatar: null,
    },
    { name: "one's own", viewer: ann, group: closed, hasGravatar: true, client: true, email: real, avatar: null },
    {
      name: "inaccessible user",
      viewer: hiddenFrom,
      group: everyone,
      hasGravatar: true,
      client: true,
      email: dummy,
      avatar: stored,
    },
  ])("depend on the viewer: $name", async ({ viewer, group, hasGravatar, client, email, avatar }) => {
    await setRealm({ real_emails_visible_to: group });
    await database.updateTable("user").set({ has_gravatar: hasGravatar }).where("id", "=", ann).execute();
    const seen = await only(viewer, message, { client_gravatar: client });
    expect(seen?.sender_email).toBe(email);
    expect(seen?.sender_full_name).toBe(viewer === hiddenFrom ? "Unknown user" : "ann");
    if (avatar instanceof RegExp) expect(seen?.avatar_url).toMatch(avatar);
    else expect(seen?.avatar_url).toBe(avatar);
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

describe("two conversations on one page", () => {
  it("each list their members", async () => {
    const group = await world.send(me, { users: [ann, owner] }, "three");
    await findOrCreateConversation(database, realmId, [me, owner]);
    const { messages } = await world.get(me, { message_ids: [direct, group] });
    const members = messages.map(({ display_recipient }) =>
      (display_recipient as { id: number }[]).map(({ id }) => id),
    );
    expect(members).toEqual([
      [me, ann],
      [owner, me, ann],
    ]);
  });
});
