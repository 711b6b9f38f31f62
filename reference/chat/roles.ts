import type { User } from "./storage/tables.js";

/** Role numbers of the contract (Enumerations, role). A lower number grants more. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

type WithRole = Pick<User, "role">;

export function isOwner({ role }: WithRole): boolean {
  return role <= roles.owner;
}

/** Owners count as administrators. */
export function isAdministrator({ role }: WithRole): boolean {
  return role <= roles.administrator;
}

/** Administrators and owners count as moderators. */
export function isModerator({ role }: WithRole): boolean {
  return role <= roles.moderator;
}

export function isGuest({ role }: WithRole): boolean {
  return role >= roles.guest;
}
