import { roles } from "../roles.js";
import type { Database } from "../storage/database.js";

/** Creates a user group and returns its id. Without a name, it can only be the value of a setting. */
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

/** The system groups of every organization, with the highest role number of their members. */
const maxRoles = {
  nobody: 0,
  owners: roles.owner,
  administrators: roles.administrator,
  moderators: roles.moderator,
  members: roles.member,
  everyone: roles.guest,
} as const;

/** The ids of the system groups of one organization, by name. */
export type SystemGroups = Readonly<Record<keyof typeof maxRoles, number>>;

function storedName(name: string): string {
  return `role:${name}`;
}

/** Creates the system groups of a new organization. */
export function createSystemGroups(database: Database, realmId: number): SystemGroups {
  const ids = Object.entries(maxRoles).map(([name, most_role]) => {
    const row = { realm_id: realmId, name: storedName(name), most_role };
    return [name, database.run(database.sql.insertInto("user_group").values(row)).insertedId];
  });
  return Object.fromEntries(ids);
}

/** Returns the id of a system group, which every organization has. */
export function systemGroup(database: Database, realmId: number, name: keyof SystemGroups): number {
  const { sql } = database;
  const group = database.first(
    sql.selectFrom("user_group").select("id").where("realm_id", "=", realmId).where("name", "=", storedName(name)),
  );
  if (group === undefined) throw new Error(`organization ${realmId} has no group ${name}`);
  return group.id;
}
