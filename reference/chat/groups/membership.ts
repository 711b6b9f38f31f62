import { type RawBuilder, sql } from "kysely";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/** Whether a user is in a group, directly, by role, or through a subgroup at any depth. Deactivated groups have no members. */
export function isInGroup(database: Database, user: Pick<User, "id" | "role" | "realm_id">, groupId: number): boolean {
  // CROSS JOIN fixes the join order; otherwise SQLite reads the groups of every organization.
  const found = database.first(sql<{ found: number }>`
    ${withinGroup(groupId, user.realm_id)}
    select 1 as found from within cross join user_group on user_group.id = within.id
    where user_group.most_role >= ${user.role}
      or exists (select 1 from user_group_member where group_id = within.id and user_id = ${user.id})
    limit 1`);
  return found !== undefined;
}

/** The ids of all users for whom `isInGroup` is true. */
export function membersOfGroup(database: Database, groupId: number, realmId: number): number[] {
  const members = database.all(sql<{ id: number }>`
    ${withinGroup(groupId, realmId)}
    select user.id from within cross join user_group on user_group.id = within.id
      join user on user.realm_id = ${realmId} and user.role <= user_group.most_role
    union
    select user_id as id from within cross join user_group_member on group_id = within.id`);
  return members.map(({ id }) => id);
}

/**
 * The common table expression `within(id)`: a group and its subgroups at any depth. Excludes deactivated
 * groups.
 */
function withinGroup(groupId: number, realmId: number): RawBuilder<unknown> {
  return sql`with recursive within(id) as (
      select id from user_group where id = ${groupId} and realm_id = ${realmId} and is_deactivated = 0
      union
      select subgroup_id from user_group_subgroup
        join within on within.id = user_group_subgroup.group_id
        join user_group on user_group.id = subgroup_id and user_group.is_deactivated = 0
    )`;
}
