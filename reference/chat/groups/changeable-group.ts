import { badRequest } from "../bad-request.js";
import { isAdministrator, isGuest } from "../roles.js";
import type { Caller } from "../services.js";
import type { Database } from "../storage/database.js";
import type { UserGroup } from "../storage/tables.js";

/** The named group with an id in an organization. Groups that exist only as the value of a setting have no name. */
export function findNamedGroup(database: Database, realmId: number, id: number): UserGroup | undefined {
  const { sql } = database;
  return database.first(
    sql
      .selectFrom("user_group")
      .selectAll()
      .where("id", "=", id)
      .where("realm_id", "=", realmId)
      .where("name", "is not", null),
  );
}

/**
 * The group with an id that the caller may change: administrators change any, its direct members too unless they are guests; nobody
 * changes a group of the system. Throws a refusal (Update subgroups; Deactivate a user group).
 */
export function changeableGroup(database: Database, { user, realm }: Caller, id: number): UserGroup {
  const group = findNamedGroup(database, realm.id, id);
  if (group === undefined) throw badRequest("Invalid user group");
  if (group.most_role !== null) throw badRequest("A group of the system cannot be changed");
  if (isAdministrator(user)) return group;
  const member = database.sql
    .selectFrom("user_group_member")
    .select("user_id")
    .where("group_id", "=", id)
    .where("user_id", "=", user.id);
  if (isGuest(user) || database.first(member) === undefined) throw badRequest("Insufficient permission");
  return group;
}
