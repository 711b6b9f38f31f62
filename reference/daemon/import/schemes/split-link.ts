import { percentDecode } from "../../../../src/percent-decode.js";

/** The parts of a share link, still encoded. Parts that are not there are empty. */
export interface SplitLink extends SplitAuthority {
  /** What stands before the query: all but the name and the parameters. */
  readonly main: string;
  /** Without its `?`. */
  readonly query: string;
  /** Without its `#`. */
  readonly fragment: string;
}

/** Who is at which server. */
export interface SplitAuthority {
  readonly userinfo: string;
  /** An IPv6 address keeps its brackets. */
  readonly host: string;
  /** What stands after the colon, whether it is a port or not. */
  readonly port: string;
}

/**
 * Splits what stands after `://` as RFC 3986 does, with one difference: userinfo goes up to the last `@` before the query, and not
 * only before the first `/`. Share links have no paths, but base64 with a bare `/` in the userinfo. `URL` would take the first half
 * of that for the host, and refuses ranges of ports.
 */
export function splitLink(rest: string): SplitLink {
  const hash = rest.indexOf("#");
  const fragment = hash < 0 ? "" : rest.slice(hash + 1);
  const unnamed = hash < 0 ? rest : rest.slice(0, hash);
  const mark = unnamed.indexOf("?");
  const query = mark < 0 ? "" : unnamed.slice(mark + 1);
  const main = mark < 0 ? unnamed : unnamed.slice(0, mark);
  const { userinfo, host, port } = splitAuthority(main);
  return { main, userinfo, host, port, query, fragment };
}

/** Splits `userinfo@host:port`, with or without a path behind it. */
export function splitAuthority(main: string): SplitAuthority {
  const at = main.lastIndexOf("@");
  const userinfo = at < 0 ? "" : main.slice(0, at);
  const slash = main.indexOf("/", at + 1);
  const address = main.slice(at + 1, slash < 0 ? main.length : slash);
  // The colons in brackets are those of the address. Brackets that are not closed are no address, as the host then shows.
  const colon = address.indexOf(":", address.startsWith("[") ? Math.max(address.indexOf("]"), 0) : 0);
  if (colon < 0) return { userinfo, host: address, port: "" };
  return { userinfo, host: address.slice(0, colon), port: address.slice(colon + 1) };
}

/**
 * Whether a link without userinfo hides it in what looks like its query or name. A bare `#` or `?` in a password cuts it in two:
 * what stands before it would be taken for the server, and the rest for a name. Such a link goes on with `@host:port`, or with
 * `@host.example` where the port is left out. Links whose userinfo is optional ask for this.
 */
export function hidesUserinfo({ main, query, fragment }: SplitLink): boolean {
  return !main.includes("@") && (serverBehindAt.test(query) || serverBehindAt.test(fragment));
}

const serverBehindAt = /@[^\s@]+[.:]/;

/** A user and a password, decoded. Without a colon there is no password. */
export interface Credentials {
  readonly user: string;
  readonly password: string | undefined;
}

/** Splits `user:password` at the first colon. Some programs encode the colon as well; then the first one after decoding counts. */
export function splitCredentials(userinfo: string): Credentials {
  const colon = userinfo.indexOf(":");
  if (colon >= 0)
    return { user: percentDecode(userinfo.slice(0, colon)), password: percentDecode(userinfo.slice(colon + 1)) };
  return splitAtColon(percentDecode(userinfo));
}

/** Splits text that needs no decoding. */
export function splitAtColon(text: string): Credentials {
  const colon = text.indexOf(":");
  if (colon < 0) return { user: text, password: undefined };
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
