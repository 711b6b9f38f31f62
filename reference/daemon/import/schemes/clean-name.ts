/**
 * Makes a name fit to be shown: without control characters, line separators, characters that override the direction of text, and
 * halves of surrogate pairs; trimmed; at most 256 characters.
 */
export function cleanName(text: string): string {
  const clean = (suspicious.test(text) ? text.replace(unfit, "") : text).trim();
  if (clean.length <= longestName) return clean;
  const endsInPair = highSurrogate.test(clean.charAt(longestName - 1));
  return clean.slice(0, endsInPair ? longestName - 1 : longestName).trimEnd();
}

const longestName = 256;
const unfit = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;
/** Cheaper than `unfit`, and true for whole surrogate pairs, too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
const suspicious = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;
const highSurrogate = /[\ud800-\udbff]/;
