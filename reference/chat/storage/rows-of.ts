import type { Database } from "./database.js";

/** How many rows of a table belong to a user. */
export function rowsOf(
  database: Database,
  table: "device_token" | "muted_topic" | "push_device" | "reminder",
  userId: number,
): number {
  const count = database.sql
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId);
  return database.first(count)?.count ?? 0;
}
