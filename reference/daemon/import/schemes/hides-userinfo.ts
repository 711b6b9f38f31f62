import type { SplitLink } from "./split-link.js";

/**
 * Whether a link without userinfo hides it in what looks like its query or name. A bare `#` or `?` in a password cuts it in two:
 * what stands before it would be taken for the server, and the rest for a name. Such a link goes on with `@host:port`, or with
 * `@host.example` where the port is left out. Links whose userinfo is optional ask for this.
 */
export function hidesUserinfo({ main, query, fragment }: SplitLink): boolean {
  return !main.includes("@") && (serverBehindAt.test(query) || serverBehindAt.test(fragment));
}

const serverBehindAt = /@[^\s@]+[.:]/;
