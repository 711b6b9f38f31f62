/**
 * The bytes of a text in standard base64 with padding (RFC 4648, section 4); undefined for any other text, also for one whose last
 * letter has bits that belong to no byte.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  // The decoder passes over what it does not know; only a text of the one right form comes back as it was.
  return bytes.toString("base64") === text ? bytes : undefined;
}
