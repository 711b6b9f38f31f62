import type { Database } from "../storage/database.js";

/** Makes a group of users. Without a name it can only be the value of a setting. Returns its id. */
export function createGroup(
  database: Database,
  realmId: number,
  memberIds: readonly number[],
  name: string | null = null,
): number {
  const { insertedId } = database.run(database.sql.insertInto("user_group").values({ realm_id: realmId, name }));
  for (const user_id of new Set(memberIds)) {
    database.run(database.sql.insertInto("user_group_member").values({ group_id: insertedId, user_id }));
  }
  return insertedId;
}
