import type { Database } from "../storage/database.js";
import type { Realm, User } from "../storage/tables.js";
import { dummyEmailId, seesRealEmails } from "./email-addresses.js";

/** Which users are found. */
interface Visibility {
  /** Also those that the viewer has no access to. */
  readonly evenInaccessible?: boolean;
}

/** The user with an id in the organization of a viewer; undefined when there is none, or none that the viewer has access to. */
export function findVisibleUser(
  database: Database,
  viewer: Pick<User, "id" | "realm_id">,
  id: number,
  visibility: Visibility = {},
): User | undefined {
  return database.first(visibleUsers(database, viewer, visibility).where("id", "=", id));
}

/**
 * The user with an e-mail address: the real one if the viewer may see it, otherwise the dummy one. Everybody knows their own real
 * address. Compared without regard to case. Undefined when there is none, or none that the viewer has access to.
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
  const id = dummyEmailId(email, realm);
  return id === undefined ? undefined : findVisibleUser(database, viewer, id, visibility);
}

/**
 * A user with a full name that the viewer has access to, and with an id if one is given; the one with the lowest id where several
 * share the name.
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
