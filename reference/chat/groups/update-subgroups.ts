import { sql as text } from "kysely";
import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import { changeableGroup, findNamedGroup } from "./changeable-group.js";

/**
 * Removes subgroups of a group and adds others, all or nothing (Update subgroups; Versioning 391). Groups of the system can be
 * subgroups, deactivated groups cannot be added, and no group can become a subgroup of itself at any depth.
 */
export function createUpdateSubgroups({ database, behaviour }: Services): Operation<"updateSubgroups"> {
  const { sql } = database;
  return ({ parameters: { user_group_id: id, add = [], delete: remove = [] }, caller }) =>
    database.transaction(() => {
      if (add.length === 0 && remove.length === 0) throw badRequest("Nothing to do: name groups in add or delete");
      const group = changeableGroup(database, caller, id);
      if (group.is_deactivated && !behaviour.changeableDeactivatedGroups) throw badRequest("User group is deactivated");
      const added = new Set(add);
      for (const subgroupId of new Set(remove)) {
        if (added.has(subgroupId)) throw badRequest(`User group ${subgroupId} stands in both add and delete`);
        named(subgroupId);
        const { changes } = database.run(
          sql.deleteFrom("user_group_subgroup").where("group_id", "=", id).where("subgroup_id", "=", subgroupId),
        );
        if (changes === 0) throw badRequest(`User group ${subgroupId} is not a subgroup of this group`);
      }
      for (const subgroupId of added) {
        if (named(subgroupId).is_deactivated) throw badRequest(`User group ${subgroupId} is deactivated`);
        const insert = sql.insertInto("user_group_subgroup").values({ group_id: id, subgroup_id: subgroupId });
        const { changes } = database.run(insert.onConflict((conflict) => conflict.doNothing()));
        if (changes === 0) throw badRequest(`User group ${subgroupId} is already a subgroup of this group`);
      }
      if (added.size > 0 && isOwnSubgroup(database, id)) throw badRequest("A user group cannot be its own subgroup");
      return undefined;

      function named(subgroupId: number) {
        const subgroup = findNamedGroup(database, caller.realm.id, subgroupId);
        if (subgroup === undefined) throw badRequest(`Invalid user group ID ${subgroupId}`);
        return subgroup;
      }
    });
}

/** Whether a group is among its own subgroups at any depth. */
function isOwnSubgroup(database: Database, groupId: number): boolean {
  const found = database.first(text<{ found: number }>`
    with recursive below(id) as (
      select subgroup_id from user_group_subgroup where group_id = ${groupId}
      union
      select subgroup_id from user_group_subgroup join below on below.id = user_group_subgroup.group_id
    )
    select 1 as found from below where id = ${groupId} limit 1`);
  return found !== undefined;
}
