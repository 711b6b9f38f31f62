import { parseJson } from "../../../src/base/parse-json.js";
import { findVisibleUserByEmail } from "../access/find-visible-user.js";
import { isLongerThan } from "../limits.js";
import { setProfileValues } from "../profile-fields/profile-values.js";
import { badRequest } from "../refusals.js";
import { isAdministrator, isGuest, isOwner } from "../roles.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { checkNewEmail } from "./check-new-email.js";
import { hasOtherOwner } from "./user-operations.js";

/**
 * Changes the name, role, profile values or address of a user, all or nothing (Update a user by email). `authorize` has checked
 * that the caller is an administrator. Bots and deactivated users can be changed, but not the notification bot. Succeeds if the
 * request changes nothing.
 */
export function createUpdateUserByEmail({ database, behaviour }: Services): Operation<"updateUserByEmail"> {
  return async ({ parameters, caller }) => {
    const { email, full_name, role, profile_data: values, new_email: newEmail } = parameters;
    const target = await findTarget(database, caller, email);
    const name = full_name === undefined ? undefined : readFullName(full_name, behaviour.plainFullName);
    if (role !== undefined) await checkNewRole(database, caller, target, role);
    if (newEmail !== undefined) await checkNewEmail(database, caller, target, newEmail);
    const changes = {
      ...(name === undefined ? {} : { full_name: name }),
      ...(role === undefined ? {} : { role }),
      ...(newEmail === undefined ? {} : { email: newEmail }),
    };
    if (Object.keys(changes).length > 0) {
      await database
        .updateTable("user")
        .set(changes)
        .where("realm_id", "=", target.realm_id)
        .where("id", "=", target.id)
        .execute();
    }
    if (values !== undefined) await setProfileValues(database, caller, target, values);
    return undefined;
  };
}

async function findTarget(database: Database, { user, realm }: Caller, email: string): Promise<User> {
  const target = await findVisibleUserByEmail(database, user, realm, email);
  if (target === undefined || target.id === realm.notification_bot_id) throw badRequest("No such user");
  return target;
}

/** Maximum length of a full name in Unicode code points. */
const maxFullNameLength = 100;

/**
 * Reads the full name in a request: JSON-decodes it before level 106 (Versioning), and trims it. Throws a refusal if it is
 * empty, too long or has invisible characters such as line breaks.
 */
function readFullName(text: string, isPlain: boolean): string {
  const name = (isPlain ? text : decoded(text)).trim();
  if (name === "") throw badRequest("full_name is empty");
  if (isLongerThan(name, maxFullNameLength))
    throw badRequest(`full_name is longer than ${maxFullNameLength} characters`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) throw badRequest("full_name contains invalid characters");
  return name;
}

function decoded(text: string): string {
  const value = parseJson(text);
  if (typeof value !== "string") throw badRequest("full_name is not a JSON-encoded string");
  return value;
}

/**
 * Throws a refusal if the caller, an administrator, may not assign a role to a user (Update a user by email, `role`). The
 * current role is always allowed.
 */
async function checkNewRole(database: Database, caller: Caller, target: User, role: number): Promise<void> {
  if (role === target.role) return;
  const changesOwners = isOwner(target) || isOwner({ role });
  if (changesOwners && !isOwner(caller.user)) throw badRequest("Must be an organization owner");
  if (isOwner(target) && !(await hasOtherOwner(database, target))) {
    throw badRequest("The owner permission cannot be removed from the only organization owner");
  }
  if (target.is_bot && isOwner({ role })) throw badRequest("Bots cannot be organization owners");
  if (isGuest(target) && isAdministrator({ role })) throw badRequest("Guests cannot be organization administrators");
}
