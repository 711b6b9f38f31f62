import { isUtf8 } from "node:buffer";
import { percentDecode } from "../../../../src/percent-decode.js";

/**
 * Decodes base64 text (RFC 4648): standard or URL-safe alphabet, with or without padding. Undefined if it is not base64
 * or not valid UTF-8. Node's own decoder would skip invalid characters.
 */
export function decodeBase64(encoded: string): string | undefined {
  if (!base64.test(encoded)) return undefined;
  const padded = encoded.endsWith("=");
  // A single character in the last group of four holds no whole byte, and padding must complete the group.
  if (encoded.length % 4 === 1 || (padded && encoded.length % 4 !== 0)) return undefined;
  const bytes = Buffer.from(encoded, "base64");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

const base64 = /^[a-z0-9+/_-]+={0,2}$/i;

/**
 * Cleans a name for display: removes control characters, line separators, characters that override the text direction,
 * and lone surrogates; trims it; cuts it to 256 characters.
 */
export function cleanName(text: string): string {
  const clean = (suspicious.test(text) ? text.replace(unfit, "") : text).trim();
  if (clean.length <= maxNameLength) return clean;
  const endsInPair = highSurrogate.test(clean.charAt(maxNameLength - 1));
  return clean.slice(0, endsInPair ? maxNameLength - 1 : maxNameLength).trimEnd();
}

const maxNameLength = 256;
const unfit = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;
/** Faster than `unfit`; also matches valid surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose.
const suspicious = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;
const highSurrogate = /[\ud800-\udbff]/;

/** Reads the name of a node from the fragment of its link. */
export function readName(fragment: string): string {
  return cleanName(percentDecode(fragment));
}
