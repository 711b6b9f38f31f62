import { parseUrl } from "../base/parse-url.js";

/** Parses a URL of HTTP or HTTPS. Undefined for any other text. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = parseUrl(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Whether a URL has credentials, a query or a fragment. */
export function hasMoreThanPath({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].some((part) => part !== "");
}
