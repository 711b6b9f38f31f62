import type { Database } from "../storage/database.js";
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
export function findVisibleUser(
  database: Database,
  viewer: Pick<User, "id" | "realm_id">,
  id: number,
  visibility: Visibility = {},
): User | undefined {
  return database.first(visibleUsers(database, viewer, visibility).where("id", "=", id));
}

/**
 * Finds a user by e-mail address, case-insensitively: by the real address if the viewer may see it, otherwise by the dummy one.
 * Viewers always find themselves by their real address. Undefined if the user does not exist or is inaccessible to the viewer.
 */
export function findVisibleUserByEmail(
  database: Database,
  viewer: Pick<User, "id" | "role" | "realm_id" | "email">,
  realm: Pick<Realm, "real_emails_visible_to" | "host">,
  email: string,
  visibility: Visibility = {},
): User | undefined {
  if (email.toLowerCase() === viewer.email.toLowerCase()) {
    return findVisibleUser(database, viewer, viewer.id, visibility);
  }
  if (seesRealEmails(database, viewer, realm)) {
    return database.first(visibleUsers(database, viewer, visibility).where("email", "=", email));
  }
  const id = parseDummyEmail(email, realm);
  return id === undefined ? undefined : findVisibleUser(database, viewer, id, visibility);
}

/**
 * Finds an accessible user by full name and optional id. If several users share the name, returns the one with the lowest id.
 */
export function findVisibleUserByName(
  database: Database,
  viewer: Pick<User, "id" | "realm_id">,
  name: string,
  id?: number,
): User | undefined {
  const named = visibleUsers(database, viewer, {}).where("full_name", "=", name).orderBy("id");
  return database.first(id === undefined ? named : named.where("id", "=", id));
}

function visibleUsers(
  { sql }: Database,
  viewer: Pick<User, "id" | "realm_id">,
  { evenInaccessible = false }: Visibility,
) {
  const all = sql.selectFrom("user").selectAll().where("realm_id", "=", viewer.realm_id);
  if (evenInaccessible) return all;
  const hidden = sql.selectFrom("inaccessible_user").select("user_id").where("viewer_id", "=", viewer.id);
  return all.where("id", "not in", hidden);
}
