/**
 * Decodes percent-encoding (RFC 3986, section 2.1) once. It never throws: escapes that are malformed or give no valid UTF-8 stay as
 * they are. A `+` stays a `+`.
 */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  // Looking before costs less than an error does, which hostile content could ask for in masses.
  if (wellFormed.test(text)) return decodeURIComponent(text);
  return text.replace(escapedCharacters, decodeURIComponent);
}

/** One character each, as in RFC 3629, section 4. */
const escapedCharacter = [
  "%[0-7][\\da-f]",
  "%(?:c[2-9a-f]|d[\\da-f])%[89ab][\\da-f]",
  "%(?:e0%[ab]|e[1-9abcef]%[89ab]|ed%[89])[\\da-f]%[89ab][\\da-f]",
  "%(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[\\da-f]%[89ab][\\da-f]%[89ab][\\da-f]",
].join("|");
const escapedCharacters = new RegExp(escapedCharacter, "gi");
const wellFormed = new RegExp(`^(?:[^%]|${escapedCharacter})*$`, "i");
