import { isGuest } from "../roles.js";
import { type Database, keyOf } from "../storage/database.js";
import type { Channel, User } from "../storage/tables.js";

type WithRealm = Pick<User, "realm_id">;

/** Finds a channel by id in the organization of a user. */
export function findChannel(database: Database, { realm_id }: WithRealm, id: number): Promise<Channel | undefined> {
  return channelsOf(database, { realm_id }).where("id", "=", id).executeTakeFirst();
}

/** Finds a channel by name, case-insensitively, in the organization of a user. */
export function findChannelByName(
  database: Database,
  { realm_id }: WithRealm,
  name: string,
): Promise<Channel | undefined> {
  return channelsOf(database, { realm_id }).where("name_key", "=", keyOf(name)).executeTakeFirst();
}

function channelsOf(database: Database, { realm_id }: WithRealm) {
  return database.selectFrom("channel").selectAll().where("realm_id", "=", realm_id);
}

/** Whether a user is subscribed to a channel. */
export async function isSubscribed(
  database: Database,
  user: Pick<User, "id" | "realm_id">,
  channel: Pick<Channel, "id">,
): Promise<boolean> {
  const found = await database
    .selectFrom("subscription")
    .select("user_id")
    .where("realm_id", "=", user.realm_id)
    .where("user_id", "=", user.id)
    .where("channel_id", "=", channel.id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether a user may know that a channel exists: subscribers always; for a public channel, every user except guests. */
export async function canAccessChannel(
  database: Database,
  user: Pick<User, "id" | "role" | "realm_id">,
  channel: Pick<Channel, "id" | "realm_id" | "is_private">,
): Promise<boolean> {
  if (channel.realm_id !== user.realm_id) return false;
  return (!channel.is_private && !isGuest(user)) || (await isSubscribed(database, user, channel));
}
