import { isUtf8 } from "node:buffer";

const maxNameLength = 256;
const unfit = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Cleans a name for display: removes control characters, line separators, characters that override the text direction,
 * and lone surrogates; trims it; cuts it to 256 characters.
 */
export function cleanName(text: string): string {
  const clean = text.replace(unfit, "").trim().slice(0, maxNameLength);
  return clean.replace(/[\ud800-\udbff]$/, "").trimEnd();
}

/**
 * Decodes base64 text (RFC 4648): standard or URL-safe alphabet, with or without padding. Undefined if it is not base64
 * or not valid UTF-8. Node's own decoder would skip invalid characters.
 */
export function decodeBase64(encoded: string): string | undefined {
  const digits = encoded.replace(/={1,2}$/, "");
  const isPadded = digits.length < encoded.length;
  if (!/^[\w+/-]+$/.test(digits) || digits.length % 4 === 1 || (isPadded && encoded.length % 4 !== 0)) return undefined;
  const bytes = Buffer.from(digits, "base64");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/**
 * Returns an unknown scheme or type in lower case, to show it in a rejection. Returns the empty text if it looks like a
 * token: mixed case, more than two digits, or more than one word.
 */
export function shownScheme(text: string): string {
  const isEvenCase = text === text.toLowerCase() || text === text.toUpperCase();
  const isWord = /^[a-z0-9][a-z0-9+.-]{0,31}$/i.test(text);
  return isWord && isEvenCase && text.replace(/\D/g, "").length <= 2 ? text.toLowerCase() : "";
}
