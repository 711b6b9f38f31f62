import { sql } from "kysely";
import type { Database } from "../storage/database.js";
import { withinGroup } from "./within-group.js";

/** The ids of all users whom `isInGroup` finds in a group. */
export function membersOfGroup(database: Database, groupId: number, realmId: number): number[] {
  const members = database.all(sql<{ id: number }>`
    ${withinGroup(groupId, realmId)}
    select user.id from within cross join user_group on user_group.id = within.id
      join user on user.realm_id = ${realmId} and user.role <= user_group.most_role
    union
    select user_id as id from within cross join user_group_member on group_id = within.id`);
  return members.map(({ id }) => id);
}
