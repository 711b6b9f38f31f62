import type { Database } from "../storage/database.js";
import type { Realm, User } from "../storage/tables.js";
import { isInGroup } from "./membership.js";

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
