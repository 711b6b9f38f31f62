import type { IncomingMessage } from "node:http";
import { parseUrl } from "../../../../src/parse-url.js";
import { isHttp } from "../read-subscription-url.js";
import { FetchFailure } from "./fetch-failure.js";
import { headerText } from "./header-text.js";

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer sends the client, undefined when it does not. User name and password stay with the origin that they were given
 * for: another host, scheme or port does not get them.
 *
 * Throws `redirect-not-a-url` or `redirect-unsupported-scheme`.
 */
export function redirectTarget({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  const location = headerText(headers, "location");
  if (!redirects.has(statusCode) || location === undefined) return undefined;
  // Asked before, because the error of `new URL` carries both URLs.
  if (parseUrl(location, from.href) === undefined) throw new FetchFailure("redirect-not-a-url");
  const to = new URL(location, from.href);
  if (!isHttp(to)) throw new FetchFailure("redirect-unsupported-scheme");
  if (to.origin === from.origin && to.username === "" && to.password === "") {
    to.username = from.username;
    to.password = from.password;
  }
  return to;
}
