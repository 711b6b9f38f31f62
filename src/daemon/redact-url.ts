import { parseUrl } from "../parse-url.js";
import { redacted } from "./redact.js";

/**
 * Shows of a URL only what holds no secret: `<scheme>://<host>[:port]`.
 *
 * Anything else gives `[redacted]`: a text that is no URL, another scheme than http and https (the host of `ss://…` can be the
 * secret itself), and a URL with `@` after its host. There a `/`, `?` or `#` that was meant as a part of the password may have
 * cut it in two, so that what looks like the host is a piece of the user name or password.
 */
export function redactUrl(text: string): string {
  const beyondHost = /^https?:\/\/[^/?#\\]+(.*)$/is.exec(text)?.[1];
  if (beyondHost === undefined || beyondHost.includes("@") || parseUrl(text) === undefined) return redacted;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
