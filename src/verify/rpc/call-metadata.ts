import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { maskedText } from "../../judge/mask.js";
import type { Secret } from "../../secrets/secret.js";
import { parseHeaders } from "../http/extra-headers.js";
import { basicCredentials } from "../http/with-login.js";
import type { RenewedToken } from "../token-command.js";

/** What every call of a run carries. */
export interface CallMetadata {
  /** The metadata of the next call, of the account of the run unless it names the other one. */
  readonly headers: (as?: "other") => Readonly<Record<string, string>>;
  readonly hasOther?: boolean;
  /** What reports mask. */
  readonly secrets: () => readonly string[];
  /** The token, if a command prints it. */
  readonly token?: RenewedToken;
  /** The metadata in a command that repeats a call, without secrets. */
  readonly shown: readonly string[];
}

/** No metadata but that of the protocol. */
export const noMetadata: CallMetadata = { headers: () => ({}), secrets: () => [], shown: [] };

/** Metadata that the protocols of calls have of their own. */
const own = /^(?:te|grpc-.*|connect-.*|:.*)$/i;

/**
 * Combines headers such as `x-tenant: acme` with an account, which calls carry as `authorization`: `NAME:PASSWORD` as Basic credentials, any
 * other text as a bearer token. `other` is the account of calls that are made as somebody else. Throws a `CouldNotRunError` that quotes no value.
 */
export function callMetadata(
  lines: readonly string[],
  account: Secret | undefined,
  token?: RenewedToken,
  other?: Secret,
): CallMetadata {
  const { headers, secrets } = parseHeaders(lines, []);
  const reserved = Object.keys(headers).find((name) => own.test(name));
  if (reserved !== undefined) throw new CouldNotRunError(`Calls have metadata ${reserved} of their own`);
  const authorization = (of = account): Record<string, string> =>
    of === undefined ? {} : { authorization: authorizationOf(of.reveal()) };
  const ofAccounts = [account, other].filter((one) => one !== undefined);
  return {
    headers: (as) => ({ ...headers, ...authorization(as === "other" ? other : account) }),
    hasOther: other !== undefined,
    token,
    secrets: () => [...secrets, ...ofAccounts.flatMap((one) => secretsOf(one.reveal())), ...(token?.all() ?? [])],
    shown: [
      ...Object.entries(headers).map(([name, value]) => `${name}: ${secrets.includes(value) ? maskedText : value}`),
      ...Object.values(authorization()).map((value) => `authorization: ${value.split(" ", 1)} ${maskedText}`),
    ],
  };
}

function authorizationOf(account: string): string {
  const colon = account.indexOf(":");
  return colon < 0 ? `Bearer ${account}` : basicCredentials(account.slice(0, colon), account.slice(colon + 1));
}

function secretsOf(account: string): string[] {
  const colon = account.indexOf(":");
  return colon < 0 ? [account] : [account.slice(colon + 1), authorizationOf(account).slice("Basic ".length)];
}
