import { createHash, randomBytes } from "node:crypto";
import type { Secret } from "../../src/chat/server/index.js";
import type { Database } from "./storage/database.js";
import type { User } from "./storage/tables.js";

/** Begins a session of a user. Returns the value of the header `Cookie`. */
export async function beginSession(
  database: Database,
  { id, realm_id }: Pick<User, "id" | "realm_id">,
): Promise<string> {
  const token = `${realm_id}-${randomBytes(24).toString("base64url")}`;
  await database
    .insertInto("session")
    .values({ realm_id, user_id: id, token_hash: hashOf(token) })
    .execute();
  return `session=${token}`;
}

/** Finds the session in a `Cookie` header. The token begins with the organization. */
export async function findSession(
  database: Database,
  cookie: Secret,
): Promise<{ readonly realm_id: number; readonly user_id: number } | undefined> {
  const [, token, realmId] = /(?:^|; ?)session=((\d{1,15})-[\w-]{1,100})(?:;|$)/.exec(cookie.reveal()) ?? [];
  if (token === undefined) return undefined;
  return database
    .selectFrom("session")
    .select(["realm_id", "user_id"])
    .where("realm_id", "=", Number(realmId))
    .where("token_hash", "=", hashOf(token))
    .executeTakeFirst();
}

function hashOf(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}
