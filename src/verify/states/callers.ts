import type { CredentialFields } from "../../contract/rest/conventions.js";
import type { Schema } from "../../contract/rest/document.js";
import { stranger } from "../../contract/rest/security.js";

/** What a caller logs in with, and what else a provider state returned about the caller. */
export type Credentials = Readonly<Record<string, unknown>>;

/** Credentials that no server knows. */
export function unknownCredentials({ username, password, token, key }: CredentialFields): Credentials {
  const { name, secret } = stranger;
  return { [key]: secret, [token]: secret, [username]: name, [password]: secret };
}

/** Lists the secrets that a provider state returned: what callers log in with, and values that are passwords by their schema or name. */
export function stateSecrets(
  {
    credentials,
    values,
  }: { readonly credentials: Readonly<Record<string, Credentials>>; readonly values: Credentials },
  secretNames: readonly string[],
  schema: Schema = {},
): string[] {
  const isSecret = (name: string) => schema.properties?.[name]?.format === "password" || /token/i.test(name);
  return [
    ...Object.values(credentials).flatMap((one) => secretNames.flatMap((name) => one[name] ?? [])),
    ...Object.entries(values).flatMap(([name, value]) => (isSecret(name) ? value : [])),
  ].map(String);
}
