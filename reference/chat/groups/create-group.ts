import { roles } from "../roles.js";
import type { Database } from "../storage/database.js";

/** Creates a user group and returns its id. Without a name, it can only be the value of a setting. */
export async function createGroup(
  database: Database,
  realmId: number,
  memberIds: readonly number[],
  name: string | null = null,
): Promise<number> {
  const { id: insertedId } = await database
    .insertInto("user_group")
    .values({ realm_id: realmId, name })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const user_id of new Set(memberIds)) {
    await database
      .insertInto("user_group_member")
      .values({ realm_id: realmId, group_id: insertedId, user_id })
      .execute();
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
export async function createSystemGroups(database: Database, realmId: number): Promise<SystemGroups> {
  const rows = Object.entries(maxRoles).map(([name, most_role]) => {
    return { realm_id: realmId, name: storedName(name), most_role };
  });
  const inserted = await database.insertInto("user_group").values(rows).returning(["id", "name"]).execute();
  const ids = new Map(inserted.map(({ id, name }) => [name, id]));
  return Object.fromEntries(Object.keys(maxRoles).map((name) => [name, ids.get(storedName(name))])) as SystemGroups;
}

/** Returns the id of a system group, which every organization has. */
export async function systemGroup(database: Database, realmId: number, name: keyof SystemGroups): Promise<number> {
  const group = await database
    .selectFrom("user_group")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("name_key", "=", storedName(name))
    .executeTakeFirst();
  if (group === undefined) throw new Error(`organization ${realmId} has no group ${name}`);
  return group.id;
}
