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
