import { isGuest } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { Channel, User } from "../storage/tables.js";

type WithRealm = Pick<User, "realm_id">;

/** Finds a channel by id in the organization of a user. */
export function findChannel(database: Database, { realm_id }: WithRealm, id: number): Channel | undefined {
  const { sql } = database;
  return database.first(sql.selectFrom("channel").selectAll().where("id", "=", id).where("realm_id", "=", realm_id));
}

/** Finds a channel by name, case-insensitively, in the organization of a user. */
export function findChannelByName(database: Database, { realm_id }: WithRealm, name: string): Channel | undefined {
  const { sql } = database;
  return database.first(
    sql.selectFrom("channel").selectAll().where("realm_id", "=", realm_id).where("name", "=", name),
  );
}

/** Whether a user is subscribed to a channel. */
export function isSubscribed(database: Database, user: Pick<User, "id">, channel: Pick<Channel, "id">): boolean {
  const { sql } = database;
  const found = sql
    .selectFrom("subscription")
    .select("user_id")
    .where("user_id", "=", user.id)
    .where("channel_id", "=", channel.id);
  return database.first(found) !== undefined;
}

/** Whether a user may know that a channel exists: subscribers always; for a public channel, every user except guests. */
export function canAccessChannel(
  database: Database,
  user: Pick<User, "id" | "role" | "realm_id">,
  channel: Pick<Channel, "id" | "realm_id" | "is_private">,
): boolean {
  if (channel.realm_id !== user.realm_id) return false;
  return (channel.is_private === 0 && !isGuest(user)) || isSubscribed(database, user, channel);
}
