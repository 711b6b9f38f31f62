import { randomBytes } from "node:crypto";
import { secondsNow } from "../clock.js";
import { createGroup } from "../groups/create-group.js";
import { roles } from "../roles.js";
import { createUser } from "../users/create-user.js";
import { dummyEmail } from "../users/email-addresses.js";
import { recordMute } from "../users/user-operations.js";
import { requireChannel } from "./channel-states.js";
import { resolveEmoji } from "./message-states.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";

/** Provider states of users. */
export const userStates = {
  user: (context, { role = roles.member, full_name: fullName = "Ulla User" }) => {
    const { id, email } = createOtherUser(context, role, fullName);
    return { user_id: id, email, dummy_email: dummyEmail(id, context.realm) };
  },
  "inaccessible-user": (context, { to = "member" }) => {
    const { database } = context.services;
    const { id } = createOtherUser(context, roles.member, "Ines Inaccessible");
    database.run(database.sql.insertInto("inaccessible_user").values({ viewer_id: context.user(to).id, user_id: id }));
    return { user_id: id };
  },
  "user-status": (context, { of = "other", presence_enabled, status_text, reaction_type, ...named }) => {
    const { database } = context.services;
    const { id } = context.user(of);
    const emoji = reaction_type === undefined ? undefined : resolveEmoji(context, { reaction_type, ...named });
    const columns = {
      status_text: status_text ?? null,
      status_emoji_name: emoji?.emoji_name ?? null,
      status_emoji_code: emoji?.emoji_code ?? null,
      status_reaction_type: reaction_type ?? null,
      ...(presence_enabled === undefined ? {} : { presence_enabled }),
    };
    database.run(database.sql.updateTable("user").set(columns).where("id", "=", id));
    return { user_id: id, ...emoji };
  },
  session: ({ services, user }, { of = "member" }) => ({ headers: { Cookie: services.sessions.begin(user(of).id) } }),
  gravatar: ({ services, user }, { of = "other" }) => {
    const { database } = services;
    database.run(database.sql.updateTable("user").set({ has_gravatar: true }).where("id", "=", user(of).id));
    return {};
  },
  "muted-user": ({ services, realm, user }, { by = "member", user: muted }) => {
    const mutedId = user(muted).id;
    recordMute(services.database, { muterId: user(by).id, mutedId, at: secondsNow(services.clock, realm) });
    return { muted_user_id: mutedId };
  },
} satisfies Partial<StateSetups>;

/** Creates a user besides the callers. */
function createOtherUser({ services, realm }: StateContext, role: number, fullName: string) {
  const email = `user-${randomBytes(4).toString("hex")}@${realm.host}`;
  return createUser(services.database, { realmId: realm.id, fullName, email, role });
}

/** Provider states of user groups. */
export const userGroupStates = {
  "user-group": (context, params) => {
    const { services, realm, user } = context;
    const { database } = services;
    const { sql } = database;
    const { name, members = [], subgroups = [], used_in_settings: settings = [], used_in_channel: channel } = params;
    if (findGroupId(context, name) !== undefined) throw new StateError(`User group ${name} already exists`);
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
        const { id: channelId } = requireChannel(context, channel);
        database.run(sql.updateTable("channel").set({ can_remove_subscribers_group: id }).where("id", "=", channelId));
      }
      if (params.deactivated) {
        database.run(sql.updateTable("user_group").set({ is_deactivated: true }).where("id", "=", id));
      }
      return { user_group_id: id };
    });
  },
  "user-group-changed": (context, { name, new_name: newName = name, deactivated }) => {
    const { database } = context.services;
    const id = findGroupId(context, name);
    if (id === undefined) throw new StateError(`There is no user group ${name}; set it up first`);
    const columns = { name: newName, ...(deactivated === undefined ? {} : { is_deactivated: deactivated }) };
    database.run(database.sql.updateTable("user_group").set(columns).where("id", "=", id));
    return { mention: `@*${newName}*` };
  },
  "user-group-mention": (_, { name }) => ({ mention: `@*${name}*` }),
} satisfies Partial<StateSetups>;

function findGroupId({ services: { database }, realm }: StateContext, name: string): number | undefined {
  const { sql } = database;
  return database.first(
    sql.selectFrom("user_group").select("id").where("realm_id", "=", realm.id).where("name", "=", name),
  )?.id;
}
