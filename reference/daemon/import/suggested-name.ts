import { parseUrl } from "../../../src/base/parse-url.js";
import { percentDecode } from "../../../src/base/percent-decode.js";
import type { SubscriptionUrl } from "../../../src/daemon/subscription-url.js";
import type { SubscriptionHeaders } from "./fetch/fetch-subscription.js";
import { decodeBase64 } from "./formats/text.js";
import { showsPartOf } from "./url-parts.js";

/** Maximum length in UTF-16 code units. */
const maxNameLength = 128;
/** Used if even the host of the URL may be part of a password. */
const noName = "Subscription";

/**
 * Suggests a name for a subscription: its header `profile-title`, or else the file name in `content-disposition`, the
 * fragment of its URL, or the host. At most 128 characters, without control characters and bidirectional formatting.
 * Skips a name that contains a part of the URL or of a redirect target, because panels repeat tokens and user names in
 * their headers.
 */
export function suggestedName(
  { profileTitle, contentDisposition }: SubscriptionHeaders,
  url: SubscriptionUrl,
  redirects: readonly SubscriptionUrl[] = [],
): string {
  const first = url.reveal();
  const fragment = clearName(percentDecode(first.hash.slice(1)).trim());
  // A fragment that is a name is not secret, so headers may repeat it.
  if (fragment !== undefined) first.hash = "";
  const shows = showsPartOf([first, ...redirects.map((redirect) => redirect.reveal())]);
  const names = [titleOf(profileTitle), fileTitle(contentDisposition), fragment].map(tidy);
  return names.find((name) => name !== "" && !shows(name)) ?? hostName(url);
}

/** `profile-title` is plain text, or `base64:` and UTF-8 in base64. */
function titleOf(header = ""): string | undefined {
  const encoded = /^\s*base64:(.*)$/is.exec(header)?.[1]?.trim();
  return encoded === undefined ? header : decodeBase64(encoded);
}

/** The last segment of `filename*` (RFC 8187) or `filename` in a `Content-Disposition` header, without its extension. */
function fileTitle(header = ""): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;]*))/i.exec(header) ?? [];
  const name = extended === undefined ? (quoted ?? token) : percentDecode(extended);
  return name
    ?.split(/[/\\]/)
    .at(-1)
    ?.replace(/\.(txt|ya?ml|json)$/i, "");
}

/**
 * Returns the fragment if it is clearly a name. Other fragments may be keys: Sub-Store writes JSON there, others
 * `key=value`. A name has none of their punctuation. It has several words, a letter beyond ASCII, or only letters in
 * usual capitalization. None of its words looks random.
 */
function clearName(fragment: string): string | undefined {
  if (/[={}[\]/\\?&:;%@"'<>|]/.test(fragment)) return undefined;
  const isName = /\s|[^\p{ASCII}\P{L}]|^\p{Lu}?\p{Ll}+$|^\p{Lu}+$/u.test(fragment);
  return isName && !fragment.split(/\s+/).some(looksRandom) ? fragment : undefined;
}

/** Whether a word may be a key: over 24 characters, or at least 8 with digits or with capitals after small letters. */
function looksRandom(word: string): boolean {
  return word.length > 24 || (word.length >= 8 && /\d|\p{Ll}\p{Lu}/u.test(word));
}

/** Cleans a text for display in one line. Keeps joiners, which Persian and emoji need. */
function tidy(text = ""): string {
  const clean = text.replace(/(?!\s|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}]/gu, "").replace(/\s+/g, " ");
  return clean
    .trim()
    .slice(0, maxNameLength)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}

/** The host as shown in errors. */
function hostName(url: SubscriptionUrl): string {
  const host = parseUrl(String(url))?.hostname ?? noName;
  return host.replace(/^\[(.*)\]$/, "$1").slice(0, maxNameLength);
}
