import { percentDecode } from "../../../../src/percent-decode.js";

/** The parts of a share link, still encoded. Missing parts are empty. */
export interface SplitLink extends SplitAuthority {
  /** Everything before the parameters and the name. */
  readonly main: string;
  /** Without its `?`. */
  readonly query: string;
  /** Without its `#`. */
  readonly fragment: string;
}

/** The userinfo and the server of a link. */
export interface SplitAuthority {
  readonly userinfo: string;
  /** An IPv6 address keeps its brackets. */
  readonly host: string;
  /** The text after the colon, which need not be a port. */
  readonly port: string;
}

/**
 * Splits the part of a link after `://` as RFC 3986 does, except that the userinfo ends at the last `@` before the
 * query and may contain `/`: share links have no paths, but base64 userinfo may contain a bare `/`. `URL` would treat
 * its first half as the host, and rejects ranges of ports.
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

/** Splits `userinfo@host:port`, which a path may follow. */
export function splitAuthority(main: string): SplitAuthority {
  const at = main.lastIndexOf("@");
  const userinfo = at < 0 ? "" : main.slice(0, at);
  const slash = main.indexOf("/", at + 1);
  const address = main.slice(at + 1, slash < 0 ? main.length : slash);
  // Ignores the colons inside brackets. Without a closing bracket, the host is not a valid address, and is rejected
  // later.
  const colon = address.indexOf(":", address.startsWith("[") ? Math.max(address.indexOf("]"), 0) : 0);
  if (colon < 0) return { userinfo, host: address, port: "" };
  return { userinfo, host: address.slice(0, colon), port: address.slice(colon + 1) };
}

/**
 * Whether a link seems to have no userinfo because a bare `#` or `?` in a password cut it in two: the part before it
 * looks like a server, and the rest like a query or name. The rest then contains `@host:port`, or `@host.example` if
 * the port is missing. Only needed for links whose userinfo is optional.
 */
export function hidesUserinfo({ main, query, fragment }: SplitLink): boolean {
  return !main.includes("@") && (serverBehindAt.test(query) || serverBehindAt.test(fragment));
}

const serverBehindAt = /@[^\s@]+[.:]/;

/** A decoded user and password. The password is undefined if there is no colon. */
export interface Credentials {
  readonly user: string;
  readonly password: string | undefined;
}

/**
 * Splits `user:password` at the first colon. If there is none, decodes first, because some programs encode the colon as
 * well.
 */
export function splitCredentials(userinfo: string): Credentials {
  const colon = userinfo.indexOf(":");
  if (colon >= 0)
    return { user: percentDecode(userinfo.slice(0, colon)), password: percentDecode(userinfo.slice(colon + 1)) };
  return splitAtColon(percentDecode(userinfo));
}

/** Splits text that is already decoded. */
export function splitAtColon(text: string): Credentials {
  const colon = text.indexOf(":");
  if (colon < 0) return { user: text, password: undefined };
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
