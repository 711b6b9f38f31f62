import { describe, expect, it } from "vitest";
import { isInGroup } from "../../../../reference/chat/access/membership.js";
import { createGroup } from "../../../../reference/chat/groups/create-group.js";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

/** Sets up user groups with their subgroups, and returns their ids by name. */
async function groups(named: Readonly<Record<string, object>>): Promise<ChatSetup & { ids: Record<string, number> }> {
  const ids: Record<string, number> = {};
  let setup: ChatSetup | undefined;
  for (const [name, params] of Object.entries(named)) {
    const given = { state: "user-group", params: { name, ...params } };
    setup = setup === undefined ? await setUpChat(server, given) : await setup.add(given);
    ids[name] = setup.id("user_group_id");
  }
  if (setup === undefined) throw new Error("there are no groups");
  return { ...setup, ids };
}

async function subgroupsOf(id: number | undefined): Promise<number[]> {
  const { database } = server.services;
  const rows = database.selectFrom("user_group_subgroup").select("subgroup_id as id");
  return (await rows.where("group_id", "=", id ?? 0).execute()).map((row) => row.id);
}

async function realmOf(setup: ChatSetup): Promise<number> {
  const { database } = server.services;
  const { user_id: id } = setup.credentials("owner");
  return (await database.selectFrom("user").select("realm_id").where("id", "=", id).executeTakeFirst())?.realm_id ?? 0;
}

describe("updateSubgroups", () => {
  it("finds cycles and members through 20000 levels", async () => {
    const setup = await groups({ top: {}, bottom: { members: ["member"] } });
    const { database } = server.services;

    const realmId = await realmOf(setup);
    const depth = 20_000;
    const { top = 0, bottom = 0 } = setup.ids;
    await server.services.transactions.write(async (database) => {
      let above = top;
      for (let level = 0; level < depth; level += 1) {
        const id = await createGroup(database, realmId, [], `level ${level}`);
        await database
          .insertInto("user_group_subgroup")
          .values({ realm_id: realmId, group_id: above, subgroup_id: id })
          .execute();
        above = id;
      }
      await database
        .insertInto("user_group_subgroup")
        .values({ realm_id: realmId, group_id: above, subgroup_id: bottom })
        .execute();
    });
    const member = { id: setup.credentials("member").user_id, role: 400, realm_id: realmId };
    expect(await isInGroup(database, member, top)).toBe(true);
    expect((await setup.as("owner").updateSubgroups({ user_group_id: bottom, add: [top] })).status).toBe(400);
    expect(await subgroupsOf(bottom)).toEqual([]);
  });
});
