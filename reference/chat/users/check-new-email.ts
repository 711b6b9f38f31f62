import { parseDummyEmail } from "../access/email-addresses.js";
import { isInGroup } from "../access/membership.js";
import { badRequest } from "../refusals.js";
import { isOwner } from "../roles.js";
import type { Caller } from "../services.js";
import { type Database, keyOf } from "../storage/database.js";
import type { User } from "../storage/tables.js";

/** Maximum length of an e-mail address. */
const maxEmailLength = 254;
const maxLocalLength = 64;
// Matches one label at a time, so that matching stays linear.
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const domain = new RegExp(`^${label}(?:\\.${label})+$`, "i");
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/** Whether a text has the form of an e-mail address: ASCII, without quoting or comments. */
function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (text.length > maxEmailLength || at < 1 || at > maxLocalLength) return false;
  return localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1));
}

/**
 * Throws a refusal unless the caller is an owner with the can_change_user_emails permission (Authentication 6), and the address
 * is valid, not a dummy address, and not used by another user of the organization.
 */
export async function checkNewEmail(
  database: Database,
  caller: Caller,
  target: Pick<User, "id">,
  email: string,
): Promise<void> {
  const { user, realm } = caller;
  if (!isOwner(user)) throw badRequest("Must be an organization owner");
  if (!(await isInGroup(database, user, realm.can_change_user_emails))) throw badRequest("Insufficient permission");
  if (!isEmailAddress(email)) throw badRequest("new_email is not an e-mail address");
  if (parseDummyEmail(email, realm) !== undefined) {
    throw badRequest("new_email is reserved for users whose e-mail address is hidden");
  }
  const others = database
    .selectFrom("user")
    .select("id")
    .where("realm_id", "=", realm.id)
    .where("email_key", "=", keyOf(email))
    .where("id", "!=", target.id);
  if ((await others.executeTakeFirst()) !== undefined) throw badRequest("new_email is the address of another user");
}
