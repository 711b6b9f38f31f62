import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  type Credentials,
  createSecret,
  type OperationId,
  type Refusal,
  type Secret,
} from "../../src/chat/server/index.js";
import { badRequest } from "./refusals.js";
import { isAdministrator } from "./roles.js";
import type { Caller } from "./services.js";
import { findSession } from "./sessions.js";
import { type Database, keyOf } from "./storage/database.js";
import type { Realm, User } from "./storage/tables.js";

/** Characters of an API key for the organization: enough for any safe integer. The other 21 have more than 124 random bits. */
const realmLength = 11;

/**
 * Creates a random API key of 32 letters and digits. It begins with the organization, so that finding an account needs
 * no index over all organizations.
 */
export function createApiKey(realmId: number): Secret {
  const random = randomBytes(24).toString("base64url").replaceAll("-", "a").replaceAll("_", "b");
  return createSecret(realmId.toString(36).padStart(realmLength, "0") + random.slice(realmLength));
}

/** The organization at the start of a key; undefined if the text does not begin with one. */
function realmOfKey(key: Secret): number | undefined {
  const text = key.reveal().slice(0, realmLength);
  const id = /^[0-9a-z]+$/.test(text) ? Number.parseInt(text, 36) : Number.NaN;
  return text.length === realmLength && Number.isSafeInteger(id) ? id : undefined;
}

/** The hash of a key for storage. Keys are long and random, so a plain hash cannot be reversed. */
export function hashApiKey(key: Secret): Uint8Array {
  return createHash("sha256").update(key.reveal()).digest();
}

/** Compares two hashes in constant time. */
function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return timingSafeEqual(one, other);
}

/** Finds the account with these credentials; undefined if there is none. */
export type Authenticate = (credentials: Credentials) => Promise<Caller | undefined>;

/**
 * Creates the lookup of accounts by credentials. An address may exist in several organizations; the key decides.
 * Credentials never match deactivated accounts or accounts without a key (Authentication 4).
 */
export function createAuthenticate(database: Database): Authenticate {
  return async (credentials) => {
    if (credentials.kind === "cookie") {
      const session = await findSession(database, credentials.cookie);
      return session && (await findCaller(database, { realm_id: session.realm_id, id: session.user_id }));
    }
    const { email, apiKey } = credentials;
    const realmId = realmOfKey(apiKey);
    // PostgreSQL cannot even compare a text with a null byte.
    if (realmId === undefined || email.includes("\0")) return undefined;
    const account = await accountsOf(database, realmId).where("user.email_key", "=", keyOf(email)).executeTakeFirst();
    const hash = account?.api_key_hash ?? null;
    return hash !== null && isSameHash(hash, hashApiKey(apiKey)) ? callerOf(account) : undefined;
  };
}

/** An account and its organization in one row. Only `id` is a column of both, and is that of the account. */
type Account = Omit<Realm, "id"> & User;

/** Accounts with their organizations, in one query, because every request begins with it. */
function accountsOf(database: Database, realmId: number) {
  return (
    database
      .selectFrom("user")
      .innerJoin("realm", "realm.id", "user.realm_id")
      .selectAll("realm")
      // Last, so that `id` is the account's.
      .selectAll("user")
      .where("user.realm_id", "=", realmId)
  );
}

/** Reads an account and its organization; undefined if it is deactivated. */
export async function findCaller(
  database: Database,
  { realm_id, id }: Pick<User, "realm_id" | "id">,
): Promise<Caller | undefined> {
  return callerOf(await accountsOf(database, realm_id).where("user.id", "=", id).executeTakeFirst());
}

function callerOf(account: Account | undefined): Caller | undefined {
  return account?.is_active ? { user: account, realm: { ...account, id: account.realm_id } } : undefined;
}

/** Operations for organization administrators only (Authentication 5). */
const administratorOperations: ReadonlySet<OperationId> = new Set<OperationId>([
  "updateUserByEmail",
  "createProfileField",
  "addDefaultChannel",
  "removeDefaultChannel",
  // The requirements do not say so, but linkifiers are part of the configuration of the organization.
  "updateLinkifier",
]);

/** Refuses a caller who lacks the required role, before the parameters are validated. */
export function authorize(operationId: OperationId, { user }: Caller): Refusal | undefined {
  return administratorOperations.has(operationId) && !isAdministrator(user)
    ? badRequest("Must be an organization administrator")
    : undefined;
}
