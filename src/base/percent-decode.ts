/** One well-formed character of UTF-8 (RFC 3629, section 4), each byte percent-encoded. */
const encodedCharacter = [
  "%[0-7][\\da-f]",
  "%(?:c[2-9a-f]|d[\\da-f])%[89ab][\\da-f]",
  "%(?:e0%[ab]|e[1-9abcef]%[89ab]|ed%[89])[\\da-f]%[89ab][\\da-f]",
  "%(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[\\da-f]%[89ab][\\da-f]%[89ab][\\da-f]",
].join("|");
const encodedCharacters = new RegExp(encodedCharacter, "gi");
const onlyWellFormed = new RegExp(`^(?:[^%]|${encodedCharacter})*$`, "i");

/**
 * Decodes percent-encoding (RFC 3986, section 2.1) once. Escapes that are malformed or give no valid UTF-8 stay as they are, and so
 * does `+`. Never throws.
 */
export function percentDecode(text: string): string {
  if (!text.includes("%")) return text;
  // Checking first costs less than an exception, which hostile input could cause in large numbers.
  return onlyWellFormed.test(text) ? decodeURIComponent(text) : text.replace(encodedCharacters, decodeURIComponent);
}

/** Decodes percent-encoding once. Undefined if any escape is malformed or gives no valid UTF-8. */
export function percentDecodeStrictly(text: string): string | undefined {
  return onlyWellFormed.test(text) ? decodeURIComponent(text) : undefined;
}

const percent = 0x25;

/**
 * Decodes percent-encoding once, byte by byte, so the result need not be valid UTF-8. A `%` without two hexadecimal
 * digits stays as it is (URL Standard, section 1.3). Never throws.
 */
export function percentDecodeBytes(input: string | Uint8Array): Buffer {
  const bytes = Buffer.from(input);
  let length = bytes.indexOf(percent);
  if (length < 0) return bytes;
  for (let index = length; index < bytes.length; index++) {
    const decoded = percentEncodedByteAt(bytes, index);
    bytes[length++] = decoded ?? bytes[index] ?? 0;
    if (decoded !== undefined) index += 2;
  }
  return bytes.subarray(0, length);
}

/** The percent-encoded byte at an index. Undefined if there is none. */
function percentEncodedByteAt(bytes: Uint8Array, index: number): number | undefined {
  if (bytes[index] !== percent) return undefined;
  const high = hexValue(bytes[index + 1]);
  const low = hexValue(bytes[index + 2]);
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function hexValue(digit = 0): number | undefined {
  if (digit >= 0x30 && digit <= 0x39) return digit - 0x30;
  const lowerCase = digit | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x57 : undefined;
}
