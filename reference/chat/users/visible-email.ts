import { isInGroup } from "../groups/is-in-group.js";
import type { Database } from "../storage/database.js";
import type { Realm, User } from "../storage/tables.js";
import { dummyEmail } from "./dummy-email.js";

/** Whether a user may see the real e-mail addresses of others: those in `real_emails_visible_to` may. */
export function seesRealEmails(
  database: Database,
  viewer: Pick<User, "id" | "role" | "realm_id">,
  realm: Pick<Realm, "real_emails_visible_to">,
): boolean {
  return isInGroup(database, viewer, realm.real_emails_visible_to);
}

/**
 * The e-mail address of a user as a viewer sees it: the real one, or else the dummy address `user{id}@{realm.host}` (Update a user
 * by email).
 */
export function visibleEmail(
  viewerSeesReal: boolean,
  user: Pick<User, "id" | "email">,
  realm: Pick<Realm, "host">,
): string {
  return viewerSeesReal ? user.email : dummyEmail(user.id, realm);
}
