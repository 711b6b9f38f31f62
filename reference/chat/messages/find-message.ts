import type { Database } from "../storage/database.js";
import type { Message, User } from "../storage/tables.js";
import { accessibleTo } from "./accessible-to.js";

/** The message with an id if the user may read it; undefined when it does not exist or is not theirs to read, alike. */
export function findMessage(
  database: Database,
  user: Pick<User, "id" | "realm_id" | "role">,
  id: number,
): Message | undefined {
  const { sql } = database;
  return database.first(sql.selectFrom("message").selectAll().where("id", "=", id).where(accessibleTo(user)));
}
