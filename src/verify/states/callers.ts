import type { LoginCredentials, StatesOutcome } from "./states-client.js";

/** Credentials that no server knows. */
const unknownCredentials = { email: "stranger@stranger.invalid", api_key: "x".repeat(32) };

/** Whether a caller has no account. */
export function isOutsider(caller: string): boolean {
  return caller === "nobody" || caller === "stranger";
}

/**
 * Returns the credentials that a caller sends; undefined for `nobody`. Throws an `Error` if the provider states returned none for the
 * caller.
 */
export function findCredentials(
  caller: string,
  credentials: Readonly<Record<string, LoginCredentials>>,
): LoginCredentials | undefined {
  if (caller === "nobody") return undefined;
  if (caller === "stranger") return unknownCredentials;
  const found = Object.hasOwn(credentials, caller) ? credentials[caller] : undefined;
  if (found === undefined) throw new Error(`The provider states returned no credentials of ${caller}`);
  return found;
}

/** Returns the `Authorization` header for HTTP Basic credentials (RFC 7617), encoded in UTF-8. */
export function basicCredentials(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
}

/** Lists the secrets that provider states returned: the keys of all callers, and device tokens. */
export function stateSecrets({ credentials, values }: Pick<StatesOutcome, "credentials" | "values">): string[] {
  return [...Object.values(credentials).map(({ api_key }) => api_key), ...deviceTokens(values)];
}

/** Lists the device tokens among the values of a state. */
export function deviceTokens(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (/token/i.test(name) ? [String(value)] : []));
}
