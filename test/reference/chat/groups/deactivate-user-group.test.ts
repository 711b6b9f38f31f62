import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

const group = (name: string, params: object = {}) => ({ state: "user-group", params: { name, ...params } });
const channel = (name: string, params: object = {}) => ({ state: "channel", params: { name, ...params } });

function deactivate(setup: ChatSetup, caller = "owner") {
  return setup.as(caller).deactivateUserGroup({ user_group_id: setup.id("user_group_id") });
}

const objectionsOf = (answer: object) => (answer as { error: { objections: unknown } }).error.objections;

describe("deactivateUserGroup", () => {
  it.each([
    ["owner", 200],
    ["administrator", 200],
    ["moderator", 400],
    ["member", 200],
    ["other", 400],
    ["guest", 400],
    ["bot", 400],
  ])("responds to %s for a group of member and guest with %i", async (caller, status) => {
    const setup = await setUpChat(server, group("choir", { members: ["member", "guest"] }));
    expect((await deactivate(setup, caller)).status).toBe(status);
    expect((await deactivate(setup)).status).toBe(status === 200 ? 400 : 200);
  });

  it("lists every use of the group", async () => {
    const setup = await setUpChat(
      server,
      channel("pit"),
      channel("attic", { private: true, subscribers: ["other"] }),
      channel("loft", { private: true, subscribers: ["member"] }),
      group("choir", {
        members: ["member"],
        used_in_settings: ["can_resolve_topics_group", "can_mention_many_users_group"],
        used_in_channel: "pit",
      }),
    );
    const { database } = server.services;
    const id = setup.id("user_group_id");
    const { user_id } = setup.credentials("owner");
    const realmId = await database.selectFrom("user").select("realm_id").where("id", "=", user_id).executeTakeFirst();
    await database
      .updateTable("channel")
      .set({ can_remove_subscribers_group: id })
      .where("realm_id", "=", realmId?.realm_id ?? 0)
      .execute();
    const wider = await setup.add(group("cast", { subgroups: ["choir"] }), group("crew", { subgroups: ["choir"] }));
    const answer = await setup.as("member").deactivateUserGroup({ user_group_id: id });
    const setting = { type: "channel", settings: ["can_remove_subscribers_group"] };
    const crew = wider.id("user_group_id");
    expect(answer).toMatchObject({ status: 400, error: { code: "CANNOT_DEACTIVATE_GROUP_IN_USE" } });
    expect(objectionsOf(answer)).toEqual([
      { type: "realm", settings: ["can_resolve_topics_group", "can_mention_many_users_group"] },
      { ...setting, channel_id: expect.any(Number) },
      // The member must not learn of the private channel.
      setting,
      { ...setting, channel_id: expect.any(Number) },
      { type: "subgroup", settings: [], supergroup_ids: [crew - 1, crew] },
    ]);
  });
});
