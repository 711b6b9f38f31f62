import type { Secret } from "../../../src/chat/server/index.js";
import { createApiKey, hashApiKey } from "../authentication.js";
import type { Database } from "../storage/database.js";

/** A user to create in an organization. */
export interface NewUser {
  readonly fullName: string;
  readonly email: string;
  /** A role number of the contract. */
  readonly role: number;
  /** Set for a bot, with the id of its owner. */
  readonly bot?: { readonly ownerId: number | null };
  /** Defaults to true. */
  readonly isActive?: boolean;
}

/** A created user with its API key, of which only the hash is stored. */
export interface CreatedUser {
  readonly id: number;
  readonly email: string;
  readonly apiKey: Secret;
}

/** Creates a user as `createUsers` does. */
export async function createUser(
  database: Database,
  { realmId, ...user }: NewUser & { readonly realmId: number },
): Promise<CreatedUser> {
  const [created] = await createUsers(database, realmId, [user]);
  if (created === undefined) throw new Error(`user ${user.email} was not created`);
  return created;
}

/**
 * Creates users of an organization, and subscribes those that are not bots to its default channels. Returns them in the given order. Throws if
 * an address is taken in the organization.
 */
export async function createUsers(
  database: Database,
  realmId: number,
  users: readonly NewUser[],
): Promise<CreatedUser[]> {
  const withKeys = users.map((user) => ({ ...user, apiKey: createApiKey(realmId) }));
  const rows = withKeys.map(({ fullName, email, role, bot, isActive = true, apiKey }) => ({
    ...{ realm_id: realmId, full_name: fullName, email, role, api_key_hash: hashApiKey(apiKey), is_active: isActive },
    ...{ is_bot: bot !== undefined, owner_id: bot?.ownerId ?? null },
  }));
  const inserted = await database.insertInto("user").values(rows).returning(["id", "email", "is_bot"]).execute();
  const people = inserted.filter((user) => !user.is_bot).map(({ id }) => id);
  if (people.length > 0) await subscribeToDefaults(database, realmId, people);
  const ids = new Map(inserted.map(({ id, email }) => [email, id]));
  return withKeys.map(({ email, apiKey }) => {
    const id = ids.get(email);
    if (id === undefined) throw new Error(`user ${email} was not created`);
    return { id, email, apiKey };
  });
}

async function subscribeToDefaults(database: Database, realmId: number, userIds: readonly number[]): Promise<void> {
  const pairs = database
    .selectFrom("user")
    .innerJoin("channel", "channel.realm_id", "user.realm_id")
    .select(["user.realm_id", "user.id as user_id", "channel.id as channel_id"])
    .where("user.realm_id", "=", realmId)
    .where("user.id", "in", userIds)
    .where("channel.is_default", "=", true);
  await database.insertInto("subscription").columns(["realm_id", "user_id", "channel_id"]).expression(pairs).execute();
}
