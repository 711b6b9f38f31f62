import { isInGroup } from "../groups/membership.js";
import { badRequest } from "../refusals.js";
import { isOwner } from "../roles.js";
import type { Caller } from "../services.js";
import { type Database, keyOf } from "../storage/database.js";
import type { Realm, User } from "../storage/tables.js";

type WithHost = Pick<Realm, "host">;

/** The dummy address shown to users who may not see the real one (Update a user by email, `email`). */
export function dummyEmail(userId: number, { host }: WithHost): string {
  return `user${userId}@${host}`;
}

/** Parses a dummy address case-insensitively. Returns the user id, which may not exist; undefined for any other address. */
export function parseDummyEmail(email: string, realm: WithHost): number | undefined {
  const [, digits] = /^user([1-9]\d{0,14})@/i.exec(email) ?? [];
  if (digits === undefined) return undefined;
  const id = Number(digits);
  return dummyEmail(id, realm).toLowerCase() === email.toLowerCase() ? id : undefined;
}

/** Whether a user may see real e-mail addresses of others, by being in `real_emails_visible_to`. */
export function seesRealEmails(
  database: Database,
  viewer: Pick<User, "id" | "role" | "realm_id">,
  realm: Pick<Realm, "real_emails_visible_to">,
): Promise<boolean> {
  return isInGroup(database, viewer, realm.real_emails_visible_to);
}

/**
 * The e-mail address of a user that a viewer sees: the real one, or the dummy address `user{id}@{realm.host}` (Update a user by
 * email).
 */
export function visibleEmail(
  viewerSeesReal: boolean,
  user: Pick<User, "id" | "email">,
  realm: Pick<Realm, "host">,
): string {
  return viewerSeesReal ? user.email : dummyEmail(user.id, realm);
}

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
