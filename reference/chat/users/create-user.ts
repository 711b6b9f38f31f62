import type { Secret } from "../../../src/chat/server/index.js";
import { createApiKey, hashApiKey } from "../authentication.js";
import type { Database } from "../storage/database.js";

/** A user to create. */
export interface NewUser {
  readonly realmId: number;
  readonly fullName: string;
  readonly email: string;
  /** A role number of the contract. */
  readonly role: number;
  /** The owner, when the user is a bot. */
  readonly bot?: { readonly ownerId: number | null };
}

/** A created user with its API key, of which only the hash is stored. */
export interface CreatedUser {
  readonly id: number;
  readonly email: string;
  readonly apiKey: Secret;
}

/** Creates a user and subscribes it to the default channels. Throws if the address is taken in the organization. */
export async function createUser(
  database: Database,
  { realmId, fullName, email, role, bot }: NewUser,
): Promise<CreatedUser> {
  const apiKey = createApiKey(realmId);
  const row = { realm_id: realmId, full_name: fullName, email, role, api_key_hash: hashApiKey(apiKey) };
  const ownership = { is_bot: bot !== undefined, owner_id: bot?.ownerId ?? null };
  const { id: insertedId } = await database
    .insertInto("user")
    .values({ ...row, ...ownership })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (bot === undefined) {
    const defaults = database
      .selectFrom("channel")
      .select("id")
      .where("realm_id", "=", realmId)
      .where("is_default", "=", true);
    for (const { id } of await defaults.execute()) {
      await database
        .insertInto("subscription")
        .values({ realm_id: realmId, user_id: insertedId, channel_id: id })
        .execute();
    }
  }
  return { id: insertedId, email, apiKey };
}
