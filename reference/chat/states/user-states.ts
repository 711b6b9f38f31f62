import { randomBytes } from "node:crypto";
import { dummyEmail } from "../access/email-addresses.js";
import { secondsNow } from "../clock.js";
import { createGroup } from "../groups/create-group.js";
import { roles } from "../roles.js";
import { beginSession } from "../sessions.js";
import { keyOf } from "../storage/database.js";
import { createUser } from "../users/create-user.js";
import { recordMute } from "../users/user-operations.js";
import { requireChannel } from "./channel-states.js";
import { resolveEmoji } from "./message-states.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";

/** Provider states of users. */
export const userStates = {
  user: async (context, { role = roles.member, full_name: fullName = "Ulla User" }) => {
    const { id, email } = await createOtherUser(context, role, fullName);
    return { user_id: id, email, dummy_email: dummyEmail(id, context.realm) };
  },
  "inaccessible-user": async (context, { to = "member" }) => {
    const { database } = context.services;
    const { id } = await createOtherUser(context, roles.member, "Ines Inaccessible");
    await database
      .insertInto("inaccessible_user")
      .values({ realm_id: context.realm.id, viewer_id: context.user(to).id, user_id: id })
      .execute();
    return { user_id: id };
  },
  "user-status": async (context, { of = "other", presence_enabled, status_text, reaction_type, ...named }) => {
    const { database } = context.services;
    const { id } = context.user(of);
    const emoji = reaction_type === undefined ? undefined : await resolveEmoji(context, { reaction_type, ...named });
    const columns = {
      status_text: status_text ?? null,
      status_emoji_name: emoji?.emoji_name ?? null,
      status_emoji_code: emoji?.emoji_code ?? null,
      status_reaction_type: reaction_type ?? null,
      presence_enabled,
    };
    await database
      .updateTable("user")
      .set(columns)
      .where("realm_id", "=", context.realm.id)
      .where("id", "=", id)
      .execute();
    return { user_id: id, ...emoji };
  },
  session: async ({ services, user }, { of = "member" }) => ({
    headers: { Cookie: await beginSession(services.database, user(of)) },
  }),
  gravatar: async ({ services, realm, user }, { of = "other" }) => {
    const { database } = services;
    await database
      .updateTable("user")
      .set({ has_gravatar: true })
      .where("realm_id", "=", realm.id)
      .where("id", "=", user(of).id)
      .execute();
    return {};
  },
  "muted-user": async ({ services, realm, user }, { by = "member", user: muted }) => {
    const mutedId = user(muted).id;
    await recordMute(services.database, {
      realmId: realm.id,
      muterId: user(by).id,
      mutedId,
      at: secondsNow(services.clock, realm),
    });
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
  "user-group": async (context, params) => {
    const { services, realm, user } = context;
    const { database } = services;
    const { name, members = [], subgroups = [], used_in_settings: settings = [], used_in_channel: channel } = params;
    if ((await findGroupId(context, name)) !== undefined) throw new StateError(`User group ${name} already exists`);
    const memberIds = members.map((caller) => user(caller).id);
    const id = await createGroup(database, realm.id, memberIds, name);
    for (const subgroup of new Set(subgroups)) {
      const subgroup_id = await findGroupId(context, subgroup);
      if (subgroup_id === undefined) throw new StateError(`There is no user group ${subgroup}; set it up first`);
      await database
        .insertInto("user_group_subgroup")
        .values({ realm_id: realm.id, group_id: id, subgroup_id })
        .execute();
    }
    if (settings.length > 0) {
      const columns = Object.fromEntries(settings.map((setting) => [setting, id]));
      await database.updateTable("realm").set(columns).where("id", "=", realm.id).execute();
    }
    if (channel !== undefined) {
      const { id: channelId } = await requireChannel(context, channel);
      await database
        .updateTable("channel")
        .set({ can_remove_subscribers_group: id })
        .where("realm_id", "=", realm.id)
        .where("id", "=", channelId)
        .execute();
    }
    if (params.deactivated) {
      await database
        .updateTable("user_group")
        .set({ is_deactivated: true })
        .where("realm_id", "=", realm.id)
        .where("id", "=", id)
        .execute();
    }
    return { user_group_id: id };
  },
  "user-group-changed": async (context, { name, new_name: newName = name, deactivated }) => {
    const { database } = context.services;
    const id = await findGroupId(context, name);
    if (id === undefined) throw new StateError(`There is no user group ${name}; set it up first`);
    const columns = { name: newName, is_deactivated: deactivated };
    await database
      .updateTable("user_group")
      .set(columns)
      .where("realm_id", "=", context.realm.id)
      .where("id", "=", id)
      .execute();
    return { mention: `@*${newName}*` };
  },
  "user-group-mention": async (_, { name }) => ({ mention: `@*${name}*` }),
} satisfies Partial<StateSetups>;

async function findGroupId({ services, realm }: StateContext, name: string): Promise<number | undefined> {
  const group = await services.database
    .selectFrom("user_group")
    .select("id")
    .where("realm_id", "=", realm.id)
    .where("name_key", "=", keyOf(name))
    .executeTakeFirst();
  return group?.id;
}
