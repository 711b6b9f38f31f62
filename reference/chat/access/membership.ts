import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/** Whether a user is in a group, directly, by role, or through a subgroup at any depth. Deactivated groups have no members. */
export async function isInGroup(
  database: Database,
  user: Pick<User, "id" | "role" | "realm_id">,
  groupId: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 as found where ${isInGroupSql(user, groupId)}`.execute(database);
  return rows.length > 0;
}

/** SQL condition that `isInGroup` is true. */
export function isInGroupSql(user: Pick<User, "id" | "role" | "realm_id">, groupId: number): RawBuilder<SqlBool> {
  // CROSS JOIN fixes the join order; otherwise SQLite reads the groups of every organization.
  return sql<SqlBool>`exists (
    ${withinGroup(groupId, user.realm_id)}
    select 1 from within
      cross join user_group
      where user_group.realm_id = ${user.realm_id} and user_group.id = within.id
        and (user_group.most_role >= ${user.role} or exists (
          select 1 from user_group_member m
          where m.realm_id = ${user.realm_id} and m.group_id = within.id and m.user_id = ${user.id})))`;
}

/** The ids of all users for whom `isInGroup` is true. */
export async function membersOfGroup(database: Database, groupId: number, realmId: number): Promise<number[]> {
  const members = (
    await sql<{ id: number }>`
    ${withinGroup(groupId, realmId)}
    select u.id from within
      cross join user_group
      cross join "user" u
      where user_group.realm_id = ${realmId} and user_group.id = within.id
        and u.realm_id = ${realmId} and u.role <= user_group.most_role
    union
    select m.user_id as id from within
      cross join user_group_member m
      where m.realm_id = ${realmId} and m.group_id = within.id`.execute(database)
  ).rows;
  return members.map(({ id }) => id);
}

/**
 * The common table expression `within(id)`: a group and its subgroups at any depth. Excludes deactivated
 * groups.
 */
function withinGroup(groupId: number, realmId: number): RawBuilder<unknown> {
  return sql`with recursive within(id) as (
      select id from user_group where id = ${groupId} and realm_id = ${realmId} and not is_deactivated
      union
      select s.subgroup_id from within
        cross join user_group_subgroup s
        cross join user_group g
        where s.realm_id = ${realmId} and s.group_id = within.id
          and g.realm_id = ${realmId} and g.id = s.subgroup_id and not g.is_deactivated
    )`;
}
