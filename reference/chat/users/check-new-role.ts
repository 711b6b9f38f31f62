import { badRequest } from "../bad-request.js";
import { isAdministrator, isGuest, isOwner } from "../roles.js";
import type { Caller } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { hasOtherOwner } from "./has-other.js";

/**
 * Throws a refusal unless the caller, an administrator, may give a user this role (Update a user by email, `role`). To give a user
 * the role that the user has is no change.
 */
export function checkNewRole(database: Database, caller: Caller, target: User, role: number): void {
  if (role === target.role) return;
  const changesOwners = isOwner(target) || isOwner({ role });
  if (changesOwners && !isOwner(caller.user)) throw badRequest("Must be an organization owner");
  if (isOwner(target) && !hasOtherOwner(database, target)) {
    throw badRequest("The owner permission cannot be removed from the only organization owner");
  }
  if (target.is_bot === 1 && isOwner({ role })) throw badRequest("Bots cannot be organization owners");
  if (isGuest(target) && isAdministrator({ role })) throw badRequest("Guests cannot be organization administrators");
}
