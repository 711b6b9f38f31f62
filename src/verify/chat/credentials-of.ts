import type { CallerCredentials } from "./states-client.js";

/** Credentials that no server knows. */
const unknownCredentials = { email: "stranger@stranger.invalid", api_key: "x".repeat(32) };

/** Whose credentials a case sends, among those that the states returned; undefined for `nobody`. Throws an `Error` when there are none. */
export function credentialsOf(
  as: string,
  credentials: Readonly<Record<string, CallerCredentials>>,
): Pick<CallerCredentials, "email" | "api_key"> | undefined {
  if (as === "nobody") return undefined;
  if (as === "stranger") return unknownCredentials;
  const found = Object.hasOwn(credentials, as) ? credentials[as] : undefined;
  if (found === undefined) throw new Error(`The provider states returned no credentials of ${as}`);
  return found;
}
