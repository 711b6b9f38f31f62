import { daemonError } from "../../../src/daemon/daemon-error.js";
import { createSubscriptionUrl, type SubscriptionUrl } from "../../../src/daemon/subscription-url.js";
import { parseUrl } from "../../../src/parse-url.js";

/** The most UTF-16 code units of the URL of a subscription. */
const longestUrl = 8_192;

/**
 * Reads the URL of a subscription. White space around it is ignored, as the URL standard says.
 *
 * Throws `missing-url`, `url-too-long` (over 8,192 characters), `not-a-url` or `unsupported-scheme` (neither http nor https); no
 * error holds a piece of the text.
 */
export function readSubscriptionUrl(text: string): SubscriptionUrl {
  if (text.length > longestUrl) throw daemonError({ kind: "url-too-long" });
  if (text.trim() === "") throw daemonError({ kind: "missing-url" });
  // Asked before, because the error of `new URL` carries the text.
  if (parseUrl(text) === undefined) throw daemonError({ kind: "not-a-url" });
  const url = new URL(text);
  if (!isHttp(url)) throw daemonError({ kind: "unsupported-scheme" });
  return createSubscriptionUrl(url);
}

/** Whether a URL is http or https. */
export function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
