import { badRequest } from "../bad-request.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { User } from "../storage/tables.js";
import { checkNewRole } from "./check-new-role.js";
import { findVisibleUserByEmail } from "./find-visible-user.js";
import { readFullName } from "./full-name.js";
import { checkNewEmail } from "./new-email.js";
import { setProfileValues } from "./set-profile-values.js";

/**
 * Changes the name, role, profile values or address of a user, all or nothing (Update a user by email). `authorize` has refused
 * everybody but administrators. Bots and deactivated users can be changed, too; the bot of the system cannot. Nothing to change is a
 * success.
 */
export function createUpdateUserByEmail({ database, behaviour }: Services): Operation<"updateUserByEmail"> {
  const { sql } = database;
  return ({ parameters, caller }) =>
    database.transaction(() => {
      const { email, full_name, role, profile_data: values, new_email: newEmail } = parameters;
      const target = namedUser(database, caller, email);
      const name = full_name === undefined ? undefined : readFullName(full_name, behaviour.plainFullName);
      if (role !== undefined) checkNewRole(database, caller, target, role);
      if (newEmail !== undefined) checkNewEmail(database, caller, target, newEmail);
      const changes = {
        ...(name === undefined ? {} : { full_name: name }),
        ...(role === undefined ? {} : { role }),
        ...(newEmail === undefined ? {} : { email: newEmail }),
      };
      if (Object.keys(changes).length > 0) {
        database.run(sql.updateTable("user").set(changes).where("id", "=", target.id));
      }
      if (values !== undefined) setProfileValues(database, caller, target, values);
      return undefined;
    });
}

function namedUser(database: Database, { user, realm }: Caller, email: string): User {
  const target = findVisibleUserByEmail(database, user, realm, email);
  if (target === undefined || target.id === realm.notification_bot_id) throw badRequest("No such user");
  return target;
}
