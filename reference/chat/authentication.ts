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
import type { Caller } from "./services.js";
import { builder, type Database } from "./storage/database.js";

/** Makes a random API key of 32 letters and digits. */
export function createApiKey(): Secret {
  return createSecret(randomBytes(24).toString("base64url").replaceAll("-", "a").replaceAll("_", "b"));
}

/** What is stored of a key. Keys are random and long, so a plain hash cannot be turned back. */
export function hashApiKey(key: Secret): Uint8Array {
  return createHash("sha256").update(key.reveal()).digest();
}

/** Whether two hashes are the same; takes the same time wherever they differ. */
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

/** How many callers are remembered while nothing is written. */
const mostRemembered = 1000;

/** Finds whose credentials these are; undefined when they are nobody's. */
export type Authenticate = (credentials: Credentials) => Caller | undefined;

/**
 * Makes what finds the account of credentials. The same address may exist in several organizations: the key decides. Accounts
 * without a key, and deactivated ones, are nobody's (Authentication 4). There are no sessions, so a cookie is nobody's either.
 */
export function createAuthenticate(database: Database): Authenticate {
  const remembered = createMemo<Caller | undefined>(database, mostRemembered);
  return (credentials) => {
    if (credentials.kind === "cookie") return undefined;
    const { email, apiKey } = credentials;
    const hash = hashApiKey(apiKey);
    return remembered(`${Buffer.from(hash).toString("base64")} ${email}`, () => find(database, email, hash));
  };
}

function find(database: Database, email: string, hash: Uint8Array): Caller | undefined {
  const user = database.first(activeUser(email, hash));
  // The database found it by its hash, in which nothing shows of the key; that it is the one is decided in constant time.
  if (user === undefined || user.api_key_hash === null || !isSameHash(user.api_key_hash, hash)) return undefined;
  const realm = database.first(realmOf(user.realm_id));
  return realm && { user, realm };
}

/** Operations for organization administrators only (Authentication 5). */
const forAdministrators: ReadonlySet<OperationId> = new Set<OperationId>([
  "updateUserByEmail",
  "createProfileField",
  "addDefaultChannel",
  "removeDefaultChannel",
  // Not stated; linkifiers are part of the configuration of the organization.
  "updateLinkifier",
]);

/** Refuses a caller whose role does not suffice, before parameters are looked at. */
export function authorize(operationId: OperationId, { user }: Caller): Refusal | undefined {
  return forAdministrators.has(operationId) && !isAdministrator(user)
    ? badRequest("Must be an organization administrator")
    : undefined;
}
