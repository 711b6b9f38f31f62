import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  type Credentials,
  createSecret,
  type OperationId,
  type Refusal,
  type Secret,
} from "../../src/chat/server/index.js";
import { createMemo } from "../storage/create-memo.js";
import { reusableQuery } from "../storage/database.js";
import { badRequest } from "./refusals.js";
import { isAdministrator } from "./roles.js";
import type { Caller, Services } from "./services.js";
import { builder, type Database } from "./storage/database.js";

/** Creates a random API key of 32 letters and digits. */
export function createApiKey(): Secret {
  return createSecret(randomBytes(24).toString("base64url").replaceAll("-", "a").replaceAll("_", "b"));
}

/** The hash of a key for storage. Keys are long and random, so a plain hash cannot be reversed. */
export function hashApiKey(key: Secret): Uint8Array {
  return createHash("sha256").update(key.reveal()).digest();
}

/** Compares two hashes in constant time. */
function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return timingSafeEqual(one, other);
}

const activeUser = reusableQuery((email: string, hash: Uint8Array) =>
  builder
    .selectFrom("user")
    .selectAll()
    .where("email", "=", email)
    .where("api_key_hash", "=", hash)
    .where("is_active", "=", 1),
);
const realmOf = reusableQuery((id: number) => builder.selectFrom("realm").selectAll().where("id", "=", id));

/** Maximum callers cached between two writes. */
const maxCachedCallers = 1000;

/** Finds the account with these credentials; undefined if there is none. */
export type Authenticate = (credentials: Credentials) => Caller | undefined;

/**
 * Creates the lookup of accounts by credentials. An address may exist in several organizations; the key decides.
 * Credentials never match deactivated accounts or accounts without a key (Authentication 4).
 */
export function createAuthenticate({ database, sessions }: Pick<Services, "database" | "sessions">): Authenticate {
  const cached = createMemo<Caller | undefined>(database, maxCachedCallers);
  return (credentials) => {
    if (credentials.kind === "cookie") return findActive(database, sessions.userOf(credentials.cookie));
    const { email, apiKey } = credentials;
    const hash = hashApiKey(apiKey);
    return cached(`${Buffer.from(hash).toString("base64")} ${email}`, () => find(database, email, hash));
  };
}

function findActive(database: Database, userId: number | undefined): Caller | undefined {
  if (userId === undefined) return undefined;
  const { sql } = database;
  const user = database.first(sql.selectFrom("user").selectAll().where("id", "=", userId).where("is_active", "=", 1));
  const realm = user && database.first(realmOf(user.realm_id));
  return user && realm && { user, realm };
}

function find(database: Database, email: string, hash: Uint8Array): Caller | undefined {
  const user = database.first(activeUser(email, hash));
  // The timing of the database lookup can reveal something about the hash, but not about the key. The final comparison
  // takes constant time.
  if (user === undefined || user.api_key_hash === null || !isSameHash(user.api_key_hash, hash)) return undefined;
  const realm = database.first(realmOf(user.realm_id));
  return realm && { user, realm };
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
