import { type CallerName, callers } from "../../../generated/chat/states.js";
import { roles } from "../roles.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { type CreatedUser, createUser } from "../users/create-user.js";

/** The callers that an organization has, with their keys. */
export type Callers = Readonly<Partial<Record<CallerName, CreatedUser>>>;

const people: Readonly<Record<CallerName, { readonly fullName: string; readonly role: number }>> = {
  owner: { fullName: "Olivia Owner", role: roles.owner },
  administrator: { fullName: "Adam Administrator", role: roles.administrator },
  moderator: { fullName: "Mona Moderator", role: roles.moderator },
  member: { fullName: "Mira Member", role: roles.member },
  other: { fullName: "Otto Other", role: roles.member },
  guest: { fullName: "Gustav Guest", role: roles.guest },
  bot: { fullName: "Build Bot", role: roles.member },
  deactivated: { fullName: "Dora Deactivated", role: roles.member },
};

/** Makes the callers of a new organization (`x-callers` of `openapi/states.yaml`), by default all of them. */
export function createCallers(database: Database, realm: Realm, names: readonly CallerName[] = callers): Callers {
  const made: Partial<Record<CallerName, CreatedUser>> = {};
  for (const name of names) {
    made[name] = createUser(database, {
      realmId: realm.id,
      ...people[name],
      email: `${name}@${realm.host}`,
      ...(name === "bot" ? { bot: { ownerId: made.member?.id ?? null } } : {}),
    });
  }
  const { deactivated } = made;
  if (deactivated) {
    database.run(database.sql.updateTable("user").set({ is_active: false }).where("id", "=", deactivated.id));
  }
  return made;
}
