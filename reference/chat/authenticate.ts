import type { Credentials } from "../../src/chat/server/index.js";
import { createMemo } from "../storage/create-memo.js";
import { reusableQuery } from "../storage/reusable-query.js";
import { hashApiKey, isSameHash } from "./api-key.js";
import type { Caller } from "./services.js";
import { builder, type Database } from "./storage/database.js";

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
