import { type RawBuilder, sql } from "kysely";

/** The common table expression `within(id)`: a group and its subgroups at any depth. Deactivated groups have no part in it. */
export function withinGroup(groupId: number, realmId: number): RawBuilder<unknown> {
  return sql`with recursive within(id) as (
      select id from user_group where id = ${groupId} and realm_id = ${realmId} and is_deactivated = 0
      union
      select subgroup_id from user_group_subgroup
        join within on within.id = user_group_subgroup.group_id
        join user_group on user_group.id = subgroup_id and user_group.is_deactivated = 0
    )`;
}
