import { parseUrl } from "../base/parse-url.js";

/** The replacement of redacted text. */
export const redacted = "[redacted]";

/**
 * Reduces a URL to the parts that hold no secret: `<scheme>://<host>[:port]`.
 *
 * Returns `[redacted]` for text that is not a URL, for schemes other than http and https (the host of `ss://…` can be the secret
 * itself), and for a URL with `@` after its host: its password may contain an unescaped `/`, `?` or `#`, so that the apparent host is
 * a part of the credentials.
 */
export function redactUrl(text: string): string {
  const beyondHost = /^https?:\/\/[^/?#\\]+(.*)$/is.exec(text)?.[1];
  if (beyondHost === undefined || beyondHost.includes("@") || parseUrl(text) === undefined) return redacted;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
