import { type Database, keyOf } from "../storage/database.js";
import type { Realm, User } from "../storage/tables.js";
import { parseDummyEmail, seesRealEmails } from "./email-addresses.js";

/** Scope of a user lookup. */
interface Visibility {
  /** Includes users that the viewer has no access to. */
  readonly evenInaccessible?: boolean;
}

/**
 * Finds a user by id in the organization of a viewer; undefined if the user does not exist or is inaccessible to the viewer.
 */
export async function findVisibleUser(
  database: Database,
  viewer: Pick<User, "id" | "realm_id">,
  id: number,
  visibility: Visibility = {},
): Promise<User | undefined> {
  return await visibleUsers(database, viewer, visibility).where("id", "=", id).executeTakeFirst();
}

/**
 * Finds a user by e-mail address, case-insensitively: by the real address if the viewer may see it, otherwise by the dummy one.
 * Viewers always find themselves by their real address. Undefined if the user does not exist or is inaccessible to the viewer.
 */
export async function findVisibleUserByEmail(
  database: Database,
  viewer: Pick<User, "id" | "role" | "realm_id" | "email">,
  realm: Pick<Realm, "real_emails_visible_to" | "host">,
  email: string,
  visibility: Visibility = {},
): Promise<User | undefined> {
  if (email.toLowerCase() === viewer.email.toLowerCase()) {
    return findVisibleUser(database, viewer, viewer.id, visibility);
  }
  if (await seesRealEmails(database, viewer, realm)) {
    return await visibleUsers(database, viewer, visibility).where("email_key", "=", keyOf(email)).executeTakeFirst();
  }
  const id = parseDummyEmail(email, realm);
  return id === undefined ? undefined : findVisibleUser(database, viewer, id, visibility);
}

/** Selects the users of the organization of a viewer that are accessible to the viewer. */
export function visibleUsers(
  database: Database,
  viewer: Pick<User, "id" | "realm_id">,
  { evenInaccessible = false }: Visibility = {},
) {
  const all = database.selectFrom("user").selectAll().where("realm_id", "=", viewer.realm_id);
  if (evenInaccessible) return all;
  const hidden = database
    .selectFrom("inaccessible_user")
    .select("user_id")
    .where("realm_id", "=", viewer.realm_id)
    .where("viewer_id", "=", viewer.id);
  return all.where("id", "not in", hidden);
}
