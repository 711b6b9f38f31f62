import { parseUrl } from "../../../src/base/parse-url.js";
import { daemonError } from "../../../src/daemon/daemon-error.js";
import { createSubscriptionUrl, type SubscriptionUrl } from "../../../src/daemon/subscription-url.js";

/** Maximum length of a subscription URL in UTF-16 code units. */
export const maxUrlLength = 8_192;

/**
 * Parses the URL of a subscription. Ignores surrounding white space (URL standard). Throws `missing-url`,
 * `url-too-long` (above 8,192 characters), `not-a-url`, or `unsupported-scheme` (neither http nor https). No error
 * contains any part of the text.
 */
export function readSubscriptionUrl(text: string): SubscriptionUrl {
  if (text.length > maxUrlLength) throw daemonError({ kind: "url-too-long" });
  if (text.trim() === "") throw daemonError({ kind: "missing-url" });
  // Checked first, because the error of `new URL` contains the text.
  if (parseUrl(text) === undefined) throw daemonError({ kind: "not-a-url" });
  const url = new URL(text);
  if (!isHttp(url)) throw daemonError({ kind: "unsupported-scheme" });
  return createSubscriptionUrl(url);
}

/** Whether a URL is http or https. */
export function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
