import { type Refusal, refuse } from "../../../src/chat/server/index.js";
import { badRequest } from "../bad-request.js";
import { isAdministrator } from "../roles.js";
import type { Caller, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { findVisibleUser, findVisibleUserByEmail } from "../users/find-visible-user.js";

type Principals = readonly number[] | readonly string[];

/**
 * The users that `principals` names, each once: by id, or by the address that the caller knows them by, which is `user{id}@{host}`
 * where the real one is hidden. Throws the refusal of a bad principal: one that is deactivated, does not exist, or that the caller
 * has no access to (Unsubscribe; Versioning 9 and 208).
 */
export function findPrincipals({ database, behaviour }: Services, caller: Caller, principals: Principals): User[] {
  if (!behaviour.integerPrincipals && principals.some((principal) => typeof principal === "number")) {
    throw badRequest("principals is not a list of e-mail addresses");
  }
  const users = new Map<number, User>();
  for (const principal of new Set<number | string>(principals)) {
    const user = findPrincipal(database, caller, principal);
    if (user === undefined) throw badPrincipal("No such user");
    if (!user.is_active) throw badPrincipal("User is deactivated");
    users.set(user.id, user);
  }
  return [...users.values()];

  function badPrincipal(msg: string): Refusal {
    if (behaviour.badPrincipalIsBadRequest) return badRequest(msg);
    return refuse(403, { code: "UNAUTHORIZED_PRINCIPAL", msg: "User not authorized for this query" });
  }
}

/** Administrators may unsubscribe any user. */
function findPrincipal(database: Database, { user: caller, realm }: Caller, principal: number | string) {
  const visibility = { evenInaccessible: isAdministrator(caller) };
  return typeof principal === "number"
    ? findVisibleUser(database, caller, principal, visibility)
    : findVisibleUserByEmail(database, caller, realm, principal, visibility);
}
