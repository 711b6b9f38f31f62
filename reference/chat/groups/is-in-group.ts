import { sql } from "kysely";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { withinGroup } from "./within-group.js";

/** Whether a user is in a group, directly, by role, or through a subgroup at any depth. Deactivated groups have no members. */
export function isInGroup(database: Database, user: Pick<User, "id" | "role" | "realm_id">, groupId: number): boolean {
  // CROSS JOIN keeps the order: otherwise the groups of every organization are read.
  const found = database.first(sql<{ found: number }>`
    ${withinGroup(groupId, user.realm_id)}
    select 1 as found from within cross join user_group on user_group.id = within.id
    where user_group.most_role >= ${user.role}
      or exists (select 1 from user_group_member where group_id = within.id and user_id = ${user.id})
    limit 1`);
  return found !== undefined;
}
