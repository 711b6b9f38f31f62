import { isUtf8 } from "node:buffer";
import { percentDecode } from "../../../../src/percent-decode.js";

/**
 * Decodes text from base64 (RFC 4648): the standard or the URL-safe alphabet, with padding or without. Undefined when it is not
 * base64 or the bytes are not valid UTF-8; Node's own decoder skips what it does not know instead.
 */
export function decodeBase64(encoded: string): string | undefined {
  if (!base64.test(encoded)) return undefined;
  const padded = encoded.endsWith("=");
  // One character of four holds no whole byte, and padding is there to complete the four.
  if (encoded.length % 4 === 1 || (padded && encoded.length % 4 !== 0)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

const base64 = /^[a-z0-9+/_-]+={0,2}$/i;

/**
 * Makes a name fit to be shown: without control characters, line separators, characters that override the direction of text, and
 * halves of surrogate pairs; trimmed; at most 256 characters.
 */
export function cleanName(text: string): string {
  const clean = (suspicious.test(text) ? text.replace(unfit, "") : text).trim();
  if (clean.length <= maxNameLength) return clean;
  const endsInPair = highSurrogate.test(clean.charAt(maxNameLength - 1));
  return clean.slice(0, endsInPair ? maxNameLength - 1 : maxNameLength).trimEnd();
}

const maxNameLength = 256;
const unfit = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;
/** Cheaper than `unfit`, and true for whole surrogate pairs, too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
const suspicious = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;
const highSurrogate = /[\ud800-\udbff]/;

/** Reads the name of a node from the fragment of its link. */
export function readName(fragment: string): string {
  return cleanName(percentDecode(fragment));
}
