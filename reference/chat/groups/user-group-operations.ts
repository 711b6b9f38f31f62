import { sql as text } from "kysely";
import { refuse } from "../../../src/chat/server/index.js";
import { canAccessChannel } from "../channels/find-channel.js";
import { badRequest } from "../refusals.js";
import { isAdministrator, isGuest } from "../roles.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { UserGroup } from "../storage/tables.js";

/** Settings of an organization whose value is a group. */
export const realmGroupSettings = [
  "can_resolve_topics_group",
  "can_move_messages_between_channels_group",
  "can_move_messages_between_topics_group",
  "can_mention_many_users_group",
  "can_change_user_emails",
  "real_emails_visible_to",
] as const;

const inUse = "Cannot deactivate user group in use.";

/**
 * Deactivates a group, unless a setting uses it or it is a subgroup of an active group (Deactivate a user group; Versioning
 * 298).
 */
export function createDeactivateUserGroup({ database, behaviour }: Services): Operation<"deactivateUserGroup"> {
  const { sql } = database;
  return ({ parameters: { user_group_id: id }, caller }) =>
    database.transaction(() => {
      if (changeableGroup(database, caller, id).is_deactivated) return badRequest("User group is deactivated");
      const objections = listObjections(database, caller, id);
      if (objections.length > 0) {
        return behaviour.groupInUseCode
          ? refuse(400, { code: "CANNOT_DEACTIVATE_GROUP_IN_USE", msg: inUse, objections })
          : badRequest(inUse);
      }
      database.run(sql.updateTable("user_group").set({ is_deactivated: true }).where("id", "=", id));
      return undefined;
    });
}

/** A use of a group that prevents its deactivation. */
interface Objection {
  readonly type: "realm" | "channel" | "subgroup";
  /** The names of the settings that use the group. */
  readonly settings: string[];
  /** The channel, if the caller can access it. */
  readonly channel_id?: number;
  readonly supergroup_ids?: number[];
}

/**
 * Lists the uses of a group (Deactivate a user group, `objections`): one objection for all settings of the organization, one
 * per channel, and one for all active groups that have it as a direct subgroup.
 */
function listObjections(database: Database, { user, realm }: Caller, groupId: number): Objection[] {
  const { sql } = database;
  const realmRow = database.first(sql.selectFrom("realm").select(realmGroupSettings).where("id", "=", realm.id));
  const settings = realmGroupSettings.filter((name) => realmRow?.[name] === groupId);
  const channels = database.all(
    sql
      .selectFrom("channel")
      .select(["id", "realm_id", "is_private"])
      .where("realm_id", "=", realm.id)
      .where("can_remove_subscribers_group", "=", groupId)
      .orderBy("id"),
  );
  const supergroups = database.all(
    sql
      .selectFrom("user_group_subgroup")
      .innerJoin("user_group", "user_group.id", "user_group_subgroup.group_id")
      .select("user_group.id")
      .where("user_group_subgroup.subgroup_id", "=", groupId)
      .where("user_group.is_deactivated", "=", 0)
      .orderBy("user_group.id"),
  );
  return [
    ...(settings.length > 0 ? [{ type: "realm" as const, settings }] : []),
    ...channels.map((channel) => ({
      type: "channel" as const,
      settings: ["can_remove_subscribers_group"],
      ...(canAccessChannel(database, user, channel) ? { channel_id: channel.id } : {}),
    })),
    ...(supergroups.length > 0
      ? [{ type: "subgroup" as const, settings: [], supergroup_ids: supergroups.map(({ id }) => id) }]
      : []),
  ];
}

/**
 * Removes subgroups of a group and adds others, all or nothing (Update subgroups; Versioning 391). System groups can be
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
        if (added.has(subgroupId)) throw badRequest(`User group ${subgroupId} is in both add and delete`);
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
      if (added.size > 0 && isOwnSubgroup(database, id))
        throw badRequest("A user group cannot be a subgroup of itself");
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

/** Finds a named group by id in an organization. Groups that exist only as the value of a setting have no name. */
function findNamedGroup(database: Database, realmId: number, id: number): UserGroup | undefined {
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
 * Returns the group with an id if the caller may change it: administrators may, and direct members except guests. Nobody may
 * change a system group. Otherwise throws a refusal (Update subgroups; Deactivate a user group).
 */
function changeableGroup(database: Database, { user, realm }: Caller, id: number): UserGroup {
  const group = findNamedGroup(database, realm.id, id);
  if (group === undefined) throw badRequest("Invalid user group");
  if (group.most_role !== null) throw badRequest("System groups cannot be changed");
  if (isAdministrator(user)) return group;
  const member = database.sql
    .selectFrom("user_group_member")
    .select("user_id")
    .where("group_id", "=", id)
    .where("user_id", "=", user.id);
  if (isGuest(user) || database.first(member) === undefined) throw badRequest("Insufficient permission");
  return group;
}
