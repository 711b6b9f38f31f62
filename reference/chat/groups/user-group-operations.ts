import { sql } from "kysely";
import { refuse } from "../../../src/chat/server/index.js";
import { canAccessChannel } from "../access/find-channel.js";
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
  return async ({ parameters: { user_group_id: id }, caller }) => {
    if ((await changeableGroup(database, caller, id)).is_deactivated) return badRequest("User group is deactivated");
    const objections = await listObjections(database, caller, id);
    if (objections.length > 0) {
      return behaviour.groupInUseCode
        ? refuse(400, { code: "CANNOT_DEACTIVATE_GROUP_IN_USE", msg: inUse, objections })
        : badRequest(inUse);
    }
    await database
      .updateTable("user_group")
      .set({ is_deactivated: true })
      .where("realm_id", "=", caller.realm.id)
      .where("id", "=", id)
      .execute();
    return undefined;
  };
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
async function listObjections(database: Database, { user, realm }: Caller, groupId: number): Promise<Objection[]> {
  const realmRow = await database
    .selectFrom("realm")
    .select(realmGroupSettings)
    .where("id", "=", realm.id)
    .executeTakeFirst();
  const settings = realmGroupSettings.filter((name) => realmRow?.[name] === groupId);
  const channels = await database
    .selectFrom("channel")
    .select(["id", "realm_id", "is_private"])
    .where("realm_id", "=", realm.id)
    .where("can_remove_subscribers_group", "=", groupId)
    .orderBy("id")
    .execute();
  const supergroups = await database
    .selectFrom("user_group_subgroup")
    .innerJoin("user_group", (join) =>
      join
        .onRef("user_group.realm_id", "=", "user_group_subgroup.realm_id")
        .onRef("user_group.id", "=", "user_group_subgroup.group_id"),
    )
    .select("user_group.id")
    .where("user_group_subgroup.realm_id", "=", realm.id)
    .where("user_group_subgroup.subgroup_id", "=", groupId)
    .where("user_group.is_deactivated", "=", false)
    .orderBy("user_group.id")
    .execute();
  const uses: Objection[] = [];
  for (const channel of channels) {
    uses.push({
      type: "channel",
      settings: ["can_remove_subscribers_group"],
      ...((await canAccessChannel(database, user, channel)) ? { channel_id: channel.id } : {}),
    });
  }
  return [
    ...(settings.length > 0 ? [{ type: "realm" as const, settings }] : []),
    ...uses,
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
  return async ({ parameters: { user_group_id: id, add = [], delete: remove = [] }, caller }) => {
    if (add.length === 0 && remove.length === 0) throw badRequest("Nothing to do: name groups in add or delete");
    const group = await changeableGroup(database, caller, id);
    if (group.is_deactivated && !behaviour.changeableDeactivatedGroups) throw badRequest("User group is deactivated");
    const added = new Set(add);
    for (const subgroupId of new Set(remove)) {
      if (added.has(subgroupId)) throw badRequest(`User group ${subgroupId} is in both add and delete`);
      await named(subgroupId);
      const { numDeletedRows } = await database
        .deleteFrom("user_group_subgroup")
        .where("realm_id", "=", caller.realm.id)
        .where("group_id", "=", id)
        .where("subgroup_id", "=", subgroupId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw badRequest(`User group ${subgroupId} is not a subgroup of this group`);
    }
    for (const subgroupId of added) {
      if ((await named(subgroupId)).is_deactivated) throw badRequest(`User group ${subgroupId} is deactivated`);
      const { numInsertedOrUpdatedRows } = await database
        .insertInto("user_group_subgroup")
        .values({ realm_id: caller.realm.id, group_id: id, subgroup_id: subgroupId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n)
        throw badRequest(`User group ${subgroupId} is already a subgroup of this group`);
    }
    if (added.size > 0 && (await isOwnSubgroup(database, caller.realm.id, id)))
      throw badRequest("A user group cannot be a subgroup of itself");
    return undefined;

    async function named(subgroupId: number) {
      const subgroup = await findNamedGroup(database, caller.realm.id, subgroupId);
      if (subgroup === undefined) throw badRequest(`Invalid user group ID ${subgroupId}`);
      return subgroup;
    }
  };
}

/** Whether a group is among its own subgroups at any depth. */
async function isOwnSubgroup(database: Database, realmId: number, groupId: number): Promise<boolean> {
  const { rows } = await sql`
    with recursive below(id) as (
      select subgroup_id from user_group_subgroup where realm_id = ${realmId} and group_id = ${groupId}
      union
      select s.subgroup_id from below
        cross join user_group_subgroup s
        where s.realm_id = ${realmId} and s.group_id = below.id
    )
    select 1 as found from below where id = ${groupId} limit 1`.execute(database);
  return rows.length > 0;
}

/** Finds a named group by id in an organization. Groups that exist only as the value of a setting have no name. */
async function findNamedGroup(database: Database, realmId: number, id: number): Promise<UserGroup | undefined> {
  return await database
    .selectFrom("user_group")
    .selectAll()
    .where("id", "=", id)
    .where("realm_id", "=", realmId)
    .where("name", "is not", null)
    .executeTakeFirst();
}

/**
 * Returns the group with this id if the caller may change it: administrators may, and direct members except guests. System
 * groups cannot be changed. Otherwise throws a refusal (Update subgroups; Deactivate a user group).
 */
async function changeableGroup(database: Database, { user, realm }: Caller, id: number): Promise<UserGroup> {
  const group = await findNamedGroup(database, realm.id, id);
  if (group === undefined) throw badRequest("Invalid user group");
  if (group.most_role !== null) throw badRequest("System groups cannot be changed");
  if (isAdministrator(user)) return group;
  const member = database
    .selectFrom("user_group_member")
    .select("user_id")
    .where("realm_id", "=", realm.id)
    .where("group_id", "=", id)
    .where("user_id", "=", user.id);
  if (isGuest(user) || (await member.executeTakeFirst()) === undefined) throw badRequest("Insufficient permission");
  return group;
}
