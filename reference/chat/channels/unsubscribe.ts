import { refuse } from "../../../src/chat/server/index.js";
import { badRequest } from "../bad-request.js";
import { isInGroup } from "../groups/is-in-group.js";
import { isAdministrator } from "../roles.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Channel, User } from "../storage/tables.js";
import { canAccessChannel, findChannelByName } from "./find-channel.js";
import { findPrincipals } from "./find-principals.js";

/** Most pairs of a channel and a user in one request, so that none takes long. */
const mostPairs = 10_000;

/**
 * Unsubscribes the caller, or the principals, from channels; from none of them when anything fails (Unsubscribe). A name is
 * removed when at least one user was subscribed.
 */
export function createUnsubscribe(services: Services): Operation<"unsubscribe"> {
  const { database } = services;
  return ({ parameters, caller }) =>
    database.transaction(() => {
      const { subscriptions, principals } = parameters;
      if (
        subscriptions.length * Math.max(1, principals?.length ?? 1) > mostPairs ||
        (principals?.length ?? 0) > mostPairs
      ) {
        return badRequest(
          `Too many channels and users at once; send at most ${mostPairs} pairs of a channel and a user`,
        );
      }
      const channels = namedChannels(database, caller, subscriptions);
      const users = principals === undefined ? [caller.user] : findPrincipals(services, caller, principals);
      for (const channel of channels) {
        const mayRemove = createPermission(database, caller, channel);
        if (!users.every(mayRemove)) return badRequest("Insufficient permission");
      }
      const removed: string[] = [];
      const notRemoved: string[] = [];
      for (const channel of channels) {
        (removeAll(database, channel, users) ? removed : notRemoved).push(channel.name);
      }
      return { removed, not_removed: notRemoved };
    });
}

/** The channels with these names, each once. One that the caller has no access to is answered like one that does not exist. */
function namedChannels(database: Database, { user }: Caller, names: readonly string[]): Channel[] {
  const channels = new Map<number, Channel>();
  for (const name of new Set(names)) {
    const channel = findChannelByName(database, user, name);
    if (channel === undefined || !(isAdministrator(user) || canAccessChannel(database, user, channel))) {
      const msg = `Channel '${name}' does not exist`;
      throw refuse(400, { code: "STREAM_DOES_NOT_EXIST", msg, stream: name });
    }
    channels.set(channel.id, channel);
  }
  return [...channels.values()];
}

/** Says whom the caller may remove from a channel that the caller has access to. */
function createPermission(database: Database, { user: caller }: Caller, channel: Channel): (user: User) => boolean {
  let inGroup: boolean | undefined;
  return (user) => {
    if (user.id === caller.id || isAdministrator(caller)) return true;
    if (user.is_bot && user.owner_id === caller.id) return true;
    inGroup ??= isInGroup(database, caller, channel.can_remove_subscribers_group);
    return inGroup;
  };
}

/** Tells whether any of the users was subscribed. */
function removeAll(database: Database, channel: Channel, users: readonly User[]): boolean {
  let changes = 0;
  for (const user of users) {
    changes += database.run(
      database.sql.deleteFrom("subscription").where("user_id", "=", user.id).where("channel_id", "=", channel.id),
    ).changes;
  }
  return changes > 0;
}
