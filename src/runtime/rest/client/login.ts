import { percentEncode } from "../../../base/percent-encode.js";
import type { Api } from "../api.js";

/** A user name with its password. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** Credentials by the names of the security schemes: a user name and password, a token or a key. */
export type Credentials = Readonly<Record<string, BasicCredentials | string | undefined>>;

/** What credentials add to a request. */
export interface Login {
  readonly headers: Readonly<Record<string, string>>;
  /** Without `?`, possibly empty. */
  readonly query: string;
}

/**
 * Returns what a request carries: the credentials of the first alternative that are all there, or nothing. Throws a `TypeError` for a user
 * name with a colon, at which a server would split the credentials (RFC 7617, section 2).
 */
export function loginOf(
  { schemes }: Pick<Api, "schemes">,
  alternatives: Api["security"],
  credentials: Credentials,
): Login {
  const names = alternatives.find((one) => one.every((name) => credentials[name] !== undefined)) ?? [];
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  for (const name of names) {
    const [scheme, given] = [schemes[name], credentials[name]];
    if (scheme === undefined || given === undefined) continue;
    if (typeof given === "object") headers.Authorization = basicHeader(given);
    else if (scheme.kind !== "key") headers.Authorization = `Bearer ${given}`;
    else if (scheme.in === "query") query.append(scheme.name, given);
    else if (scheme.in === "header") headers[scheme.name] = given;
    else headers.Cookie = [headers.Cookie ?? [], `${scheme.name}=${percentEncode(given)}`].flat().join("; ");
  }
  return { headers, query: query.toString() };
}

/** The header of HTTP Basic credentials (RFC 7617), in UTF-8. Throws a `TypeError` for a user name with a colon. */
export function basicHeader({ username, password }: BasicCredentials): string {
  if (username.includes(":")) throw new TypeError("the user name must not contain a colon");
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)))}`;
}
