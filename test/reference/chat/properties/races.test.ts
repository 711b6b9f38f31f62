import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../../support/answer-of.js";
import { chatServer } from "../../../support/chat-server.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { concurrently } from "./concurrently.js";

const server = await chatServer();

const allCallers = ["owner", "administrator", "moderator", "member", "other", "guest"];
const lobby = { state: "channel", params: { name: "Lobby", subscribers: allCallers } };
const hello = { state: "message", params: { from: "member", channel: "Lobby", topic: "a", content: "Hello" } };

describe("concurrent calls", () => {
  it("let exactly one mute of a user succeed", async () => {
    const chat = await setUpChat(server, lobby);
    const muted_user_id = chat.credentials("other").user_id;
    const answers = await concurrently(
      Array.from({ length: 8 }, () => () => answerOf(chat.as("member"), "muteUser", { muted_user_id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 400)]);
  });

  it("leave no message of a muted user unread", async () => {
    const chat = await setUpChat(server, lobby, hello);
    const muted_user_id = chat.credentials("member").user_id;
    await concurrently<unknown>([
      ...Array.from({ length: 6 }, () => () => chat.add(hello)),
      () => answerOf(chat.as("other"), "muteUser", { muted_user_id }),
      ...Array.from({ length: 6 }, () => () => chat.add(hello)),
    ]);
    const { body } = await answerOf(chat.as("other"), "getMessages", {
      anchor: "oldest",
      num_before: 0,
      num_after: 100,
      narrow: [],
    });
    const flags = (body.messages as { flags: string[] }[]).map((message) => message.flags.includes("read"));
    expect(flags).toEqual(Array.from({ length: 13 }, () => true));
  });

  it("let repeated mutes of a topic succeed, and one unmute revert them", async () => {
    const chat = await setUpChat(server, lobby, hello);
    const mute = (op: string) => () =>
      answerOf(chat.as("other"), "updateMutedTopic", { stream_id: chat.id("stream_id"), topic: "a", op });
    expect((await concurrently(Array.from({ length: 8 }, () => mute("add")))).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 200),
    );
    expect(await mutedIds(chat)).toEqual([chat.id("message_id")]);
    expect((await mute("remove")()).status).toBe(200);
    expect(await mutedIds(chat)).toEqual([]);
  });

  it("let exactly one unsubscription remove the channel", async () => {
    const chat = await setUpChat(server, lobby);
    const principals = [chat.credentials("member").user_id];
    const answers = await concurrently([
      ...Array.from(
        { length: 4 },
        () => () => answerOf(chat.as("member"), "unsubscribe", { subscriptions: ["Lobby"] }),
      ),
      ...Array.from(
        { length: 4 },
        () => () => answerOf(chat.as("administrator"), "unsubscribe", { subscriptions: ["Lobby"], principals }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(answers.flatMap(({ body }) => body.removed)).toEqual(["Lobby"]);
    expect(answers.flatMap(({ body }) => body.not_removed)).toHaveLength(7);
  });

  it("never make subgroups contain each other", async () => {
    const groups = ["one", "two", "three", "four"];
    const chat = await setUpChat(
      server,
      ...groups.map((name) => ({ state: "user-group", params: { name }, rename: { user_group_id: name } })),
    );
    // Adding each group of a ring to the next succeeds for all but one.
    const answers = await concurrently(
      groups.map(
        (name, at) => () =>
          answerOf(chat.as("owner"), "updateSubgroups", {
            user_group_id: chat.id(groups[(at + 1) % groups.length] ?? ""),
            add: [chat.id(name)],
          }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
  });

  it("never both deactivate a group and make it a subgroup", async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), async (deactivatesFirst) => {
        const chat = await setUpChat(
          server,
          { state: "user-group", params: { name: "one" }, rename: { user_group_id: "one" } },
          { state: "user-group", params: { name: "two" }, rename: { user_group_id: "two" } },
        );
        const calls = [
          () => answerOf(chat.as("owner"), "deactivateUserGroup", { user_group_id: chat.id("one") }),
          () => answerOf(chat.as("owner"), "updateSubgroups", { user_group_id: chat.id("two"), add: [chat.id("one")] }),
        ];
        const answers = await concurrently(deactivatesFirst ? calls : calls.reverse());
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(6) },
    );
  });

  it.each([
    [
      "a scheduled message",
      "deleteScheduledMessage",
      "scheduled_message_id",
      { state: "scheduled-message", params: { to: ["other"], content: "Later", in_seconds: 1000 } },
    ],
    ["an attachment", "deleteAttachment", "attachment_id", { state: "attachment" }],
    ["a token", "removeAndroidToken", "token", { state: "android-token" }],
  ] as const)("let exactly one deletion of %s succeed", async (_, operationId, name, state) => {
    const chat = await setUpChat(server, state);
    const answers = await concurrently(
      Array.from({ length: 6 }, () => () => answerOf(chat.as("member"), operationId, { [name]: chat.values[name] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it("leave no link to a deleted attachment", async () => {
    const chat = await setUpChat(server, lobby, hello, { state: "attachment" });
    const { url } = chat.values;
    const message_id = chat.id("message_id");
    const [edited, deleted] = await concurrently([
      () => answerOf(chat.as("member"), "editMessage", { message_id, content: `[a](${String(url)})` }),
      () => answerOf(chat.as("member"), "deleteAttachment", { attachment_id: chat.id("attachment_id") }),
    ]);
    expect([edited?.status, deleted?.status]).toEqual([200, 200]);
    const { body } = await answerOf(chat.as("member"), "editMessage", { message_id, content: "none" });
    expect(body.detached_uploads).toEqual([]);
  });

  it("put at most two profile fields into the summary", async () => {
    const chat = await setUpChat(server);
    const answers = await concurrently(
      Array.from(
        { length: 6 },
        (_, nth) => () =>
          answerOf(chat.as("administrator"), "createProfileField", {
            name: `Field ${nth}`,
            field_type: 1,
            display_in_profile_summary: true,
          }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400, 400]);
  });

  it("refuse every call after a deactivation", async () => {
    const chat = await setUpChat(server, lobby, hello);
    const answers = await concurrently([
      ...Array.from({ length: 4 }, () => () => answerOf(chat.as("member"), "deactivateOwnUser", {})),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect((await answerOf(chat.as("member"), "getMessages", { message_ids: [chat.id("message_id")] })).status).toBe(
      401,
    );
  });
});

async function mutedIds(chat: ChatSetup): Promise<number[]> {
  const { body } = await answerOf(chat.as("other"), "getMessages", {
    anchor: "oldest",
    num_before: 0,
    num_after: 100,
    narrow: [{ operator: "is", operand: "muted" }],
  });
  return (body.messages as { id: number }[]).map(({ id }) => id);
}
