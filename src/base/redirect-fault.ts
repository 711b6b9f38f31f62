import { parseUrl } from "./parse-url.js";

/** The statuses that redirect a client (RFC 9110, section 15.4). */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The parts of a response that can redirect. */
export interface RedirectingResponse {
  readonly status: number;
  /** The header `Location`. */
  readonly location: string | null | undefined;
}

/**
 * Describes a response that redirects; undefined for any other. Redirects are never followed, because the request and its credentials
 * are meant for the server at `url` alone. The description shows only the origin of the target, because the rest may hold secrets.
 */
export function redirectFault({ status, location }: RedirectingResponse, url: string): string | undefined {
  if (!redirects.has(status)) return undefined;
  return `the server redirects to ${targetOf(location ?? "", url)} with status ${status}, and a redirect is not followed`;
}

function targetOf(location: string, url: string): string {
  const target = parseUrl(location, url);
  if (location === "" || target === undefined) return "an unknown place";
  // Schemes without hosts have no origin.
  if (target.origin === "null") return `a URL with the scheme ${target.protocol.slice(0, 40)}`;
  return target.origin === parseUrl(url)?.origin ? "another path of itself" : target.origin;
}
