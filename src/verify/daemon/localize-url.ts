import { parseUrl } from "../../parse-url.js";

/**
 * Puts the host of a case in the place of the host that a URL names: `https://me:pass@sub.example/s/1` becomes
 * `http://me:pass@127.0.0.1:4711/s/1`. `origin` is such as `http://127.0.0.1:4711`.
 *
 * User name, password, path, query and fragment stay byte for byte as they are written, because they hold the secrets. A text
 * that is no http or https URL stays as it is, such as a relative redirect, and so does a URL whose host is in `.invalid`, which
 * does not exist (RFC 6761, section 6.4). Never throws.
 */
export function localizeUrl(url: string, origin: string): string {
  const [, authority = "", rest = ""] = /^https?:\/\/([^/?#\\]+)(.*)$/is.exec(url) ?? [];
  if (authority === "" || (parseUrl(url)?.hostname ?? ".invalid").endsWith(".invalid")) return url;
  const userinfo = authority.slice(0, authority.lastIndexOf("@") + 1);
  return `http://${userinfo}${new URL(origin).host}${rest}`;
}
