import { isUtf8 } from "node:buffer";

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
