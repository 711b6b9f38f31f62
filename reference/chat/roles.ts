import type { User } from "./storage/tables.js";

/** The role numbers of the contract (Enumerations, role): the lower, the more a user may do. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

type WithRole = Pick<User, "role">;

export function isOwner({ role }: WithRole): boolean {
  return role <= roles.owner;
}

/** Owners are organization administrators, too. */
export function isAdministrator({ role }: WithRole): boolean {
  return role <= roles.administrator;
}

/** Administrators and owners may do what moderators may. */
export function isModerator({ role }: WithRole): boolean {
  return role <= roles.moderator;
}

export function isGuest({ role }: WithRole): boolean {
  return role >= roles.guest;
}
