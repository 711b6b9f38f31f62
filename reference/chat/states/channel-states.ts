import { findChannelByName } from "../channels/find-channel.js";
import { createGroup, systemGroup } from "../groups/create-group.js";
import { maxUnrestrictedMentions } from "../messages/mentions.js";
import { roles } from "../roles.js";
import type { Channel } from "../storage/tables.js";
import { createUser } from "../users/create-user.js";
import { type StateContext, StateError, type StateSetups } from "./state-setup.js";

/** Provider states of channels, subscriptions, muted topics and navigation views. */
export const channelStates = {
  channel: ({ services, realm, user }, params) => {
    const { database } = services;
    const { subscribers = [], can_remove_subscribers_group: removers } = params;
    const { insertedId: id } = database.run(
      database.sql.insertInto("channel").values({
        realm_id: realm.id,
        name: params.name,
        is_private: params.private ?? false,
        is_history_protected: params.history_protected ?? false,
        is_default: params.default ?? false,
        can_remove_subscribers_group:
          removers === undefined
            ? systemGroup(database, realm.id, "nobody")
            : createGroup(
                database,
                realm.id,
                removers.map((caller) => user(caller).id),
              ),
      }),
    );
    const crowd = params.many_subscribers
      ? Array.from({ length: maxUnrestrictedMentions + 1 }, (_, index) => {
          const email = `subscriber${index + 1}-of-${id}@${realm.host}`;
          const fullName = `Subscriber ${index + 1} of ${params.name}`;
          return createUser(database, { realmId: realm.id, fullName, email, role: roles.member }).id;
        })
      : [];
    for (const userId of new Set([...subscribers.map((caller) => user(caller).id), ...crowd])) {
      subscribe(database, userId, id);
    }
    return { stream_id: id, stream: params.name };
  },
  subscription: (context, { name, subscribers }) => {
    const { id } = requireChannel(context, name);
    for (const caller of subscribers) subscribe(context.services.database, context.user(caller).id, id);
    return {};
  },
  "muted-topic": (context, { by = "member", channel, topic }) => {
    const { database } = context.services;
    const row = { user_id: context.user(by).id, channel_id: requireChannel(context, channel).id, topic };
    const insert = database.sql.insertInto("muted_topic").values(row);
    database.run(insert.onConflict((conflict) => conflict.doNothing()));
    return {};
  },
  "navigation-view": ({ services, user }, { of = "member", fragment }) => {
    const { database } = services;
    const insert = database.sql.insertInto("navigation_view").values({ user_id: user(of).id, fragment });
    database.run(insert.onConflict((conflict) => conflict.doNothing()));
    return {};
  },
} satisfies Partial<StateSetups>;

/** Returns the channel of the organization with a name. Throws a `StateError` if it does not exist. */
export function requireChannel({ services, realm }: StateContext, name: string): Channel {
  const channel = findChannelByName(services.database, { realm_id: realm.id }, name);
  if (channel === undefined) throw new StateError(`There is no channel ${name}; set up state channel first`);
  return channel;
}

function subscribe(database: StateContext["services"]["database"], userId: number, channelId: number): void {
  database.run(
    database.sql
      .insertInto("subscription")
      .values({ user_id: userId, channel_id: channelId })
      .onConflict((conflict) => conflict.doNothing()),
  );
}
