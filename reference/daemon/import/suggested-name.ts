import { createSubscriptionUrl, type SubscriptionUrl } from "../../../src/daemon/subscription-url.js";
import { parseUrl } from "../../../src/parse-url.js";
import { percentDecodeBytes } from "../../../src/percent-decode.js";
import type { SubscriptionHeaders } from "./fetch/fetch-subscription.js";
import { decodeUtf8, fileName } from "./fetch/header-text.js";
import { secretParts } from "./fetch/secret-parts.js";

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
  const fragment = clearName(fragmentOf(url));
  // A fragment that is a name is not secret, so headers may repeat it.
  const secrets = secretParts(fragment === undefined ? url : withoutFragment(url), redirects);
  const names = [titleOf(profileTitle), fileTitle(contentDisposition), fragment].map(tidy);
  return names.find((name) => name !== "" && !secrets.showIn(name)) ?? hostName(url);
}

/** `profile-title` is plain text, or `base64:` and UTF-8 in base64. */
function titleOf(header: string | undefined): string | undefined {
  const encoded = header === undefined ? undefined : /^\s*base64:(.*)$/is.exec(header)?.[1]?.trim();
  if (encoded === undefined) return header;
  return /^[\w+/=-]*$/.test(encoded) ? decodeUtf8(Buffer.from(encoded, "base64")) : undefined;
}

function fileTitle(header: string | undefined): string | undefined {
  return header === undefined ? undefined : fileName(header)?.replace(/\.(txt|ya?ml|json)$/i, "");
}

function fragmentOf(url: SubscriptionUrl): string | undefined {
  return decodeUtf8(percentDecodeBytes(url.reveal().hash.slice(1)))?.trim();
}

function withoutFragment(url: SubscriptionUrl): SubscriptionUrl {
  const bare = url.reveal();
  bare.hash = "";
  return createSubscriptionUrl(bare);
}

/**
 * Returns the fragment if it is clearly a name. Other fragments may be keys: Sub-Store writes JSON there, others
 * `key=value`. A name has none of their punctuation. It has several words, a letter beyond ASCII, or only letters in
 * usual capitalization. None of its words looks random.
 */
function clearName(fragment: string | undefined): string | undefined {
  if (fragment === undefined || /[={}[\]/\\?&:;%@"'<>|]/.test(fragment)) return undefined;
  const isName =
    /\s/.test(fragment) ||
    /[^\p{ASCII}\P{L}]/u.test(fragment) ||
    /^\p{Lu}?\p{Ll}+$/u.test(fragment) ||
    /^\p{Lu}+$/u.test(fragment);
  return isName && !fragment.split(/\s+/).some(looksRandom) ? fragment : undefined;
}

/** Whether a word may be a key: over 24 characters, or at least 8 with digits or with capitals after small letters. */
function looksRandom(word: string): boolean {
  return word.length > 24 || (word.length >= 8 && /\d|\p{Ll}\p{Lu}/u.test(word));
}

/** Cleans a text for display in one line. Keeps joiners, which Persian and emoji need. */
function tidy(text = ""): string {
  const clean = text
    .replace(/(?!\s|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return clean
    .slice(0, maxNameLength)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}

/** The host as shown in errors. */
function hostName(url: SubscriptionUrl): string {
  const shown = String(url);
  if (parseUrl(shown) === undefined) return noName;
  return new URL(shown).hostname.replace(/^\[(.*)\]$/, "$1").slice(0, maxNameLength);
}
