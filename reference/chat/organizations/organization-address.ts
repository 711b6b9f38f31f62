import { type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";

/** The root domain of a server with several organizations. It belongs to none of them. */
export const rootHost = "example";

/** The canonical URL of an organization. */
export function canonicalUrl({ host }: Pick<Realm, "host">): string {
  return `https://${host}`;
}

/**
 * Finds the organization at an address: the one with this host, or else the only one of the server. If there are several, every other
 * address is the root domain.
 */
export async function organizationAt(database: Database, host: string | undefined): Promise<Realm | undefined> {
  const name = host?.replace(/:\d+$/, "").toLowerCase();
  const realms = database.selectFrom("realm").selectAll();
  const named = name === undefined ? undefined : await realms.where("host", "=", name).executeTakeFirst();
  if (named !== undefined || name === rootHost) return named;
  const [only, ...others] = await realms.orderBy("id").limit(2).execute();
  return others.length === 0 ? only : undefined;
}

/** Whether web-public channels are enabled in an organization, and it has one. */
export async function hasWebPublicChannel(database: Database, realm: Realm): Promise<boolean> {
  if (!realm.web_public_channels) return false;
  const channel = await database
    .selectFrom("channel")
    .select("id")
    .where("realm_id", "=", realm.id)
    .where(sql<SqlBool>`is_web_public`)
    .limit(1)
    .executeTakeFirst();
  return channel !== undefined;
}
