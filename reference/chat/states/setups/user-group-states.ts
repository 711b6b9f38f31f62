import { createGroup } from "../../groups/create-group.js";
import { type StateContext, StateError, type StateSetups } from "../state-setup.js";
import { channelNamed } from "./channel-states.js";

/** Provider states of user groups. */
export const userGroupStates = {
  "user-group": (context, params) => {
    const { services, realm, user } = context;
    const { database } = services;
    const { sql } = database;
    const { name, members = [], subgroups = [], used_in_settings: settings = [], used_in_channel: channel } = params;
    if (findGroupId(context, name) !== undefined) throw new StateError(`There is a user group ${name} already`);
    return database.transaction(() => {
      const memberIds = members.map((caller) => user(caller).id);
      const id = createGroup(database, realm.id, memberIds, name);
      for (const subgroup of new Set(subgroups)) {
        const subgroup_id = findGroupId(context, subgroup);
        if (subgroup_id === undefined) throw new StateError(`There is no user group ${subgroup}; set it up first`);
        database.run(sql.insertInto("user_group_subgroup").values({ group_id: id, subgroup_id }));
      }
      if (settings.length > 0) {
        const columns = Object.fromEntries(settings.map((setting) => [setting, id]));
        database.run(sql.updateTable("realm").set(columns).where("id", "=", realm.id));
      }
      if (channel !== undefined) {
        const { id: channelId } = channelNamed(context, channel);
        database.run(sql.updateTable("channel").set({ can_remove_subscribers_group: id }).where("id", "=", channelId));
      }
      if (params.deactivated) {
        database.run(sql.updateTable("user_group").set({ is_deactivated: true }).where("id", "=", id));
      }
      return { user_group_id: id };
    });
  },
} satisfies Partial<StateSetups>;

function findGroupId({ services: { database }, realm }: StateContext, name: string): number | undefined {
  const { sql } = database;
  return database.first(
    sql.selectFrom("user_group").select("id").where("realm_id", "=", realm.id).where("name", "=", name),
  )?.id;
}
