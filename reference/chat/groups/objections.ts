import { canAccessChannel } from "../channels/find-channel.js";
import type { Caller } from "../services.js";
import type { Database } from "../storage/database.js";
import { realmGroupSettings } from "./realm-group-settings.js";

/** A use of a group that keeps it from being deactivated. */
interface Objection {
  readonly type: "realm" | "channel" | "subgroup";
  /** The names of the settings that use the group. */
  readonly settings: string[];
  /** The channel, if the caller may know of it. */
  readonly channel_id?: number;
  readonly supergroup_ids?: number[];
}

/**
 * What uses a group (Deactivate a user group, `objections`): settings of the organization in one objection, each channel in one, and
 * the active groups that have it as a direct subgroup in one.
 */
export function objectionsTo(database: Database, { user, realm }: Caller, groupId: number): Objection[] {
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
