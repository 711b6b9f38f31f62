import type { Realm } from "../storage/tables.js";

type WithHost = Pick<Realm, "host">;

/** The address that stands for a user towards those who may not see the real one (Update a user by email, `email`). */
export function dummyEmail(userId: number, { host }: WithHost): string {
  return `user${userId}@${host}`;
}

/**
 * The id of the user that an address of the form of `dummyEmail` stands for, in any letter case; undefined for any other address.
 * There need not be such a user.
 */
export function dummyEmailId(email: string, realm: WithHost): number | undefined {
  const [, digits] = /^user([1-9]\d{0,14})@/i.exec(email) ?? [];
  if (digits === undefined) return undefined;
  const id = Number(digits);
  return dummyEmail(id, realm).toLowerCase() === email.toLowerCase() ? id : undefined;
}
