import { findChannelByName } from "../access/find-channel.js";
import { createGroup, systemGroup } from "../groups/create-group.js";
import { maxUnrestrictedMentions } from "../messages/mentions.js";
import { roles } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { Channel } from "../storage/tables.js";
import { createUser } from "../users/create-user.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";

/** Provider states of channels, subscriptions, muted topics and navigation views. */
export const channelStates = {
  channel: async ({ services, realm, user }, params) => {
    const { database } = services;
    const { subscribers = [], can_remove_subscribers_group: removers } = params;
    const { id } = await database
      .insertInto("channel")
      .values({
        realm_id: realm.id,
        name: params.name,
        is_private: params.private ?? false,
        is_history_protected: params.history_protected ?? false,
        is_default: params.default ?? false,
        can_remove_subscribers_group:
          removers === undefined
            ? await systemGroup(database, realm.id, "nobody")
            : await createGroup(
                database,
                realm.id,
                removers.map((caller) => user(caller).id),
              ),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const userIds = new Set(subscribers.map((caller) => user(caller).id));
    for (let number = 1; params.many_subscribers && number <= maxUnrestrictedMentions + 1; number++) {
      const email = `subscriber${number}-of-${id}@${realm.host}`;
      const fullName = `Subscriber ${number} of ${params.name}`;
      userIds.add((await createUser(database, { realmId: realm.id, fullName, email, role: roles.member })).id);
    }
    for (const userId of userIds) await subscribe(database, realm.id, userId, id);
    return { stream_id: id, stream: params.name };
  },
  subscription: async (context, { name, subscribers }) => {
    const { id } = await requireChannel(context, name);
    const { services, realm, user } = context;
    for (const caller of subscribers) await subscribe(services.database, realm.id, user(caller).id, id);
    return {};
  },
  "muted-topic": async (context, { by = "member", channel, topic }) => {
    const { database } = context.services;
    const { id: channel_id } = await requireChannel(context, channel);
    const row = { realm_id: context.realm.id, user_id: context.user(by).id, channel_id, topic };
    const insert = database.insertInto("muted_topic").values(row);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    return {};
  },
  "navigation-view": async ({ services, realm, user }, { of = "member", fragment }) => {
    const { database } = services;
    const insert = database
      .insertInto("navigation_view")
      .values({ realm_id: realm.id, user_id: user(of).id, fragment });
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    return {};
  },
} satisfies Partial<StateSetups>;

/** Returns the channel of the organization by its name. Throws a `StateError` if it does not exist. */
export async function requireChannel({ services, realm }: StateContext, name: string): Promise<Channel> {
  const channel = await findChannelByName(services.database, { realm_id: realm.id }, name);
  if (channel === undefined) throw new StateError(`There is no channel ${name}; set up state channel first`);
  return channel;
}

async function subscribe(database: Database, realm_id: number, user_id: number, channel_id: number): Promise<void> {
  const insert = database.insertInto("subscription").values({ realm_id, user_id, channel_id });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}
