import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";

/** The organization with a key. Throws when there is none. */
export function findOrganization(database: Database, key: string): Realm {
  const realm = database.first(database.sql.selectFrom("realm").selectAll().where("key", "=", key));
  if (realm === undefined) throw new Error(`there is no organization ${JSON.stringify(key)}`);
  return realm;
}
