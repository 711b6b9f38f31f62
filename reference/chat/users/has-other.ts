import { roles } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";

type OneOf = Pick<User, "id" | "realm_id">;

function others(database: Database, { id, realm_id }: OneOf) {
  return database.sql
    .selectFrom("user")
    .select("id")
    .where("realm_id", "=", realm_id)
    .where("id", "!=", id)
    .where("is_active", "=", 1)
    .where("is_bot", "=", 0)
    .limit(1);
}

/** Whether the organization of a user has another person with an active account. Bots do not count. */
export function hasOtherUser(database: Database, user: OneOf): boolean {
  return database.first(others(database, user)) !== undefined;
}

/** Whether the organization of a user has another owner with an active account. Bots do not count. */
export function hasOtherOwner(database: Database, user: OneOf): boolean {
  return database.first(others(database, user).where("role", "<=", roles.owner)) !== undefined;
}
