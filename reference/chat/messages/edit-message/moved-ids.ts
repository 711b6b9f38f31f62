import { type SqlBool, sql } from "kysely";
import type { Database } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import { accessibleTo } from "../accessible-to.js";
import type { Move } from "./requested-changes.js";

/**
 * The ids of the messages that a move takes along, in ascending order. Messages that the caller may not read stay where they are,
 * except when the topic is only resolved or unresolved.
 *
 * Rule: "Edit a message", `propagate_mode`.
 */
export function movedIds(
  database: Database,
  caller: Pick<User, "id" | "realm_id" | "role">,
  targetId: number,
  { fromChannelId, fromTopic, toTopic, mode, changesChannel, isResolution }: Move,
): number[] {
  if (mode === "change_one") return [targetId];
  const inTopic = database.sql
    .selectFrom("message")
    .select("id")
    .where("channel_id", "=", fromChannelId)
    .where("topic", "=", fromTopic)
    .orderBy("id");
  // Where only the case of letters changes, some messages may have the new name already.
  const changed = changesChannel ? inTopic : inTopic.where(sql<SqlBool>`topic <> ${toTopic} collate binary`);
  const following = mode === "change_later" ? changed.where("id", ">=", targetId) : changed;
  return database.all(isResolution ? following : following.where(accessibleTo(caller))).map(({ id }) => id);
}
