/**
 * Hashes a text and a seed to a number from 0 to 2^32 - 1, equal on every machine. Source: FNV-1a with 32 bits,
 * http://www.isthe.com/chongo/tech/comp/fnv.
 */
export function fnv1a(text: string, seed = 0): number {
  let value = 0x811c9dc5 ^ seed;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
