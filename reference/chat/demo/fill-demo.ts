import { shellQuoted } from "../../../src/base/shell-word.js";
import type { Secret } from "../../../src/chat/server/index.js";
import { createApiKey, hashApiKey } from "../authentication.js";
import { newestAnchor } from "../messages/page/page-request.js";
import { requireOrganization } from "../organizations/create-organization.js";
import { roles } from "../roles.js";
import { inTransaction, type Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { createDemo } from "./create-demo.js";
import { demoKey } from "./demo-content.js";

/**
 * Creates the demo organization if it does not exist, and gives two of its accounts new keys. Returns the text to print: the
 * credentials, and requests to try at `url`, such as `http://127.0.0.1:4011`.
 */
export async function fillDemo(services: Services, url: string): Promise<string> {
  const isNew = (await findDemo(services.database)) === undefined;
  if (isNew) await createDemo(services);
  return inTransaction(services, "write", async ({ database }) => {
    const realm = await requireOrganization(database, demoKey);
    const owner = await newKey(database, realm, roles.owner);
    const member = await newKey(database, realm, roles.member);
    const accounts = [owner, member].filter((account) => account !== undefined);
    const newest = services.behaviour.stringAnchors ? "newest" : String(newestAnchor);
    const message = await lastOwnMessage(database, realm, accounts[0]);
    return describeDemo({ url, realm, isNew, accounts, newest, message });
  });
}

function findDemo(database: Database) {
  return database.selectFrom("realm").select("id").where("key", "=", demoKey).executeTakeFirst();
}

/** Gives the first active account with a role a new key. */
async function newKey(database: Database, realm: Realm, role: number): Promise<DemoAccount | undefined> {
  const user = await database
    .selectFrom("user")
    .select(["id", "email", "full_name"])
    .where("realm_id", "=", realm.id)
    .where("role", "=", role)
    .where("is_bot", "=", false)
    .where("is_active", "=", true)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const key = createApiKey(realm.id);
  await database
    .updateTable("user")
    .set({ api_key_hash: hashApiKey(key) })
    .where("realm_id", "=", realm.id)
    .where("id", "=", user.id)
    .execute();
  return { id: user.id, email: user.email, key, is: `${user.full_name}, ${role === roles.owner ? "owner" : "member"}` };
}

/** The last message that an account sent to one of its channels. */
async function lastOwnMessage(database: Database, realm: Realm, account: DemoAccount | undefined) {
  return database
    .selectFrom("message")
    .innerJoin("subscription", "subscription.channel_id", "message.channel_id")
    .select(["message.id", "message.topic", "subscription.channel_id"])
    .where("subscription.realm_id", "=", realm.id)
    .whereRef("subscription.user_id", "=", "message.sender_id")
    .where("message.realm_id", "=", realm.id)
    .where("message.sender_id", "=", account?.id ?? 0)
    .orderBy("message.id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** An account of the demo organization with a known key. */
interface DemoAccount {
  readonly id: number;
  readonly email: string;
  readonly key: Secret;
  /** Name and role. */
  readonly is: string;
}

/** The information to print about the demo organization. */
export interface DemoDescription {
  readonly url: string;
  readonly realm: Realm;
  /** Whether it was just created. */
  readonly isNew: boolean;
  /** The first account makes the example requests. */
  readonly accounts: readonly DemoAccount[];
  /** The anchor of the newest message at the feature level of the server. */
  readonly newest: string;
  /** A message of the first account in a channel to which the account is subscribed. */
  readonly message: { readonly id: number; readonly channel_id: number; readonly topic: string } | undefined;
}

/** Formats the credentials with their keys, and requests for a shell. */
function describeDemo({ url, realm, isNew, accounts, newest, message }: DemoDescription): string {
  const [caller] = accounts;
  const width = Math.max(0, ...accounts.map(({ email }) => email.length));
  const credentials = accounts.map(({ email, key, is }) => `  ${email.padEnd(width)}  ${key.reveal()}  (${is})`);
  const heading = isNew
    ? `Created the organization "${realm.name}". E-mail addresses and API keys:`
    : `The organization "${realm.name}" exists already. New API keys, which replace those printed before:`;
  const requests = caller === undefined ? [] : ["", "Try:", "", ...curlLines(url, caller, newest, message)];
  return ["", heading, "", ...credentials, ...requests, ""].join("\n");
}

function curlLines(
  url: string,
  { email, key }: DemoAccount,
  newest: string,
  message: DemoDescription["message"],
): string[] {
  const curl = `curl -s -u ${shellQuoted(`${email}:${key.reveal()}`)}`;
  const api = `${url}/api/v1`;
  const own = message && [
    `${curl} -X PATCH ${api}/messages/${message.id} --data-urlencode 'content=Speak the speech, **trippingly**.'`,
    `${curl} -X PATCH ${api}/users/me/subscriptions/muted_topics -d stream_id=${message.channel_id} -d op=add ${`--data-urlencode ${shellQuoted(`topic=${message.topic}`)}`}`,
  ];
  return [
    `${curl} '${api}/messages?anchor=${newest}&num_before=5&num_after=0'`,
    ...(own ?? []),
    `echo 'To be, or not to be' | ${curl} -F 'file=@-;filename=soliloquy.txt' ${api}/user_uploads`,
  ];
}
