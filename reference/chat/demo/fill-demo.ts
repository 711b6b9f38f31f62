import { createApiKey, hashApiKey } from "../api-key.js";
import { newestAnchor } from "../messages/page/read-page-request.js";
import { findOrganization } from "../organizations/find-organization.js";
import { roles } from "../roles.js";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { createDemo } from "./create-demo.js";
import { demoKey } from "./demo-content.js";
import { type DemoAccount, describeDemo } from "./describe-demo.js";

/**
 * Fills the demo organization, unless there is one, and gives two of its accounts new keys. Returns what to tell people: the
 * credentials, and requests to try at `url`, such as `http://127.0.0.1:4011`.
 */
export async function fillDemo(services: Services, url: string): Promise<string> {
  const { database } = services;
  const realms = database.sql.selectFrom("realm").select("id").where("key", "=", demoKey);
  const isNew = database.first(realms) === undefined;
  if (isNew) await createDemo(services);
  const realm = findOrganization(database, demoKey);
  const accounts = database.transaction(() =>
    [roles.owner, roles.member].flatMap((role) => newKey(database, realm, role) ?? []),
  );
  const newest = services.behaviour.stringAnchors ? "newest" : String(newestAnchor);
  const message = lastOwnMessage(database, realm, accounts[0]);
  await database.settled();
  return describeDemo({ url, realm, isNew, accounts, newest, message });
}

/** Gives the first active account with a role a new key. */
function newKey(database: Database, realm: Realm, role: number): DemoAccount | undefined {
  const { sql } = database;
  const user = database.first(
    sql
      .selectFrom("user")
      .select(["id", "email", "full_name"])
      .where("realm_id", "=", realm.id)
      .where("role", "=", role)
      .where("is_bot", "=", 0)
      .where("is_active", "=", 1)
      .orderBy("id"),
  );
  if (user === undefined) return undefined;
  const key = createApiKey();
  database.run(
    sql
      .updateTable("user")
      .set({ api_key_hash: hashApiKey(key) })
      .where("id", "=", user.id),
  );
  return { id: user.id, email: user.email, key, is: `${user.full_name}, ${role === roles.owner ? "owner" : "member"}` };
}

/** The last message that an account sent to a channel and can edit. */
function lastOwnMessage(database: Database, realm: Realm, account: DemoAccount | undefined) {
  return database.first(
    database.sql
      .selectFrom("message")
      .innerJoin("subscription", "subscription.channel_id", "message.channel_id")
      .select(["message.id", "message.topic", "subscription.channel_id"])
      .whereRef("subscription.user_id", "=", "message.sender_id")
      .where("message.realm_id", "=", realm.id)
      .where("message.sender_id", "=", account?.id ?? 0)
      .orderBy("message.id", "desc"),
  );
}
