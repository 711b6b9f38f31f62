import { type Refusal, refuse } from "../../../src/chat/server/index.js";
import { canAccessChannel, findChannelByName } from "../access/find-channel.js";
import { findVisibleUser, findVisibleUserByEmail } from "../access/find-visible-user.js";
import { isInGroup } from "../access/membership.js";
import { badRequest } from "../refusals.js";
import { isAdministrator } from "../roles.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Channel, User } from "../storage/tables.js";

/** Maximum channel/user pairs in one request, which bounds its duration. */
const maxPairs = 10_000;

/**
 * Unsubscribes the caller, or the principals, from channels, all or nothing (Unsubscribe). A channel counts as removed if at
 * least one user was subscribed.
 */
export function createUnsubscribe(services: Services): Operation<"unsubscribe"> {
  const { database } = services;
  return async ({ parameters, caller }) => {
    const { subscriptions, principals } = parameters;
    if (
      subscriptions.length * Math.max(1, principals?.length ?? 1) > maxPairs ||
      (principals?.length ?? 0) > maxPairs
    ) {
      return badRequest(`Too many channels and users; send at most ${maxPairs} pairs of a channel and a user`);
    }
    const channels = await findChannels(database, caller, subscriptions);
    const users = principals === undefined ? [caller.user] : await findPrincipals(services, caller, principals);
    for (const channel of channels) {
      const mayRemove = createPermission(database, caller, channel);
      for (const user of users) {
        if (!(await mayRemove(user))) return badRequest("Insufficient permission");
      }
    }
    const removed: string[] = [];
    const notRemoved: string[] = [];
    for (const channel of channels) {
      ((await unsubscribeAll(database, channel, users)) ? removed : notRemoved).push(channel.name);
    }
    return { removed, not_removed: notRemoved };
  };
}

/**
 * Looks up channels by name without duplicates. Treats a channel that the caller cannot access like one that does not exist,
 * unless the caller is an administrator.
 */
async function findChannels(database: Database, { user }: Caller, names: readonly string[]): Promise<Channel[]> {
  const channels = new Map<number, Channel>();
  for (const name of new Set(names)) {
    const channel = await findChannelByName(database, user, name);
    if (channel === undefined || !(isAdministrator(user) || (await canAccessChannel(database, user, channel)))) {
      const msg = `Channel '${name}' does not exist`;
      throw refuse(400, { code: "STREAM_DOES_NOT_EXIST", msg, stream: name });
    }
    channels.set(channel.id, channel);
  }
  return [...channels.values()];
}

/** Creates a function that checks whether the caller may remove a user from an accessible channel. */
function createPermission(
  database: Database,
  { user: caller }: Caller,
  channel: Channel,
): (user: User) => Promise<boolean> {
  let inGroup: boolean | undefined;
  return async (user) => {
    if (user.id === caller.id || isAdministrator(caller)) return true;
    if (user.is_bot && user.owner_id === caller.id) return true;
    inGroup ??= await isInGroup(database, caller, channel.can_remove_subscribers_group);
    return inGroup;
  };
}

/** Unsubscribes users from a channel. Returns whether any of them was subscribed. */
async function unsubscribeAll(
  database: Database,
  { id, realm_id }: Pick<Channel, "id" | "realm_id">,
  users: readonly User[],
): Promise<boolean> {
  if (users.length === 0) return false;
  const userIds = users.map((user) => user.id);
  const { numDeletedRows } = await database
    .deleteFrom("subscription")
    .where("realm_id", "=", realm_id)
    .where("channel_id", "=", id)
    .where("user_id", "in", userIds)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type Principals = readonly number[] | readonly string[];

/**
 * Looks up the users in `principals` without duplicates: by id, or by the address that the caller sees, which is
 * `user{id}@{host}` if the real one is hidden. Throws a refusal if a principal does not exist, is deactivated, or is
 * inaccessible to the caller (Unsubscribe; Versioning 9 and 208).
 */
async function findPrincipals(
  { database, behaviour }: Services,
  caller: Caller,
  principals: Principals,
): Promise<User[]> {
  if (!behaviour.integerPrincipals && principals.some((principal) => typeof principal === "number")) {
    throw badRequest("principals is not a list of e-mail addresses");
  }
  const users = new Map<number, User>();
  for (const principal of new Set<number | string>(principals)) {
    const user = await findPrincipal(database, caller, principal);
    if (user === undefined) throw badPrincipal("No such user");
    if (!user.is_active) throw badPrincipal("User is deactivated");
    users.set(user.id, user);
  }
  return [...users.values()];

  function badPrincipal(msg: string): Refusal {
    if (behaviour.badPrincipalIsBadRequest) return badRequest(msg);
    return refuse(403, { code: "UNAUTHORIZED_PRINCIPAL", msg: "User not authorized for this query" });
  }
}

/** Finds a user that a principal names. Administrators also find inaccessible users, because they may unsubscribe any user. */
function findPrincipal(database: Database, { user: caller, realm }: Caller, principal: number | string) {
  const visibility = { evenInaccessible: isAdministrator(caller) };
  return typeof principal === "number"
    ? findVisibleUser(database, caller, principal, visibility)
    : findVisibleUserByEmail(database, caller, realm, principal, visibility);
}
