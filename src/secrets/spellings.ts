import { utf8Bytes } from "./utf8.js";

/** Bytes that reveal a secret. */
export interface Spelling {
  readonly bytes: string;
  /** Whether the base64 characters just before and just after these bytes also encode bits of the secret. */
  readonly sharesBits: { readonly before: boolean; readonly after: boolean };
}

/** Secrets of fewer bytes are not searched for as hex digits or numbers, which could also be a list of ids. */
const minBytes = 6;

/** A shorter secret may be a word that a text contains in another case. */
export const minLengthInAnyCase = 10;

/**
 * Every spelling in which a secret is searched for: unchanged or percent-encoded, in upper or lower case if it is long, in base64 (RFC
 * 4648, either alphabet, at any offset in a longer text), and its bytes as hexadecimal digits or as a list of decimal numbers. The last
 * three also apply to the percent-encoded secret. Other encodings that only escape some characters are not listed here, because
 * `decodedViews` removes them from the text.
 */
export function spellingsOf(secret: string): Spelling[] {
  // Without lone surrogates, which `encodeURIComponent` rejects.
  const encoded = encodeURIComponent(Buffer.from(secret, "utf8").toString("utf8"));
  const texts = [secret, encoded, encoded.replace(/%../g, (digits) => digits.toLowerCase())];
  const literal = [...texts, ...inOtherCase(secret)].map(utf8Bytes);
  const found = [...[...literal, ...texts.flatMap(asNumbers)].map(literalSpelling), ...texts.flatMap(inBase64)];
  return [...new Map(found.map((spelling) => [spelling.bytes, spelling])).values()];
}

/** A spelling that holds the whole secret. */
export function literalSpelling(bytes: string): Spelling {
  return { bytes, sharesBits: { before: false, after: false } };
}

function inOtherCase(secret: string): string[] {
  return secret.length < minLengthInAnyCase ? [] : [secret.toLowerCase(), secret.toUpperCase()];
}

/** As Node, Go and others write bytes: `7a5f`, `7a 5f` in either case, `122,95`, `122, 95` and `122 95`. */
function asNumbers(text: string): string[] {
  const bytes = [...Buffer.from(text, "utf8")];
  if (bytes.length < minBytes) return [];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const hex = ["", " "].map((separator) => digits.join(separator));
  return [
    ...hex,
    ...hex.map((spelling) => spelling.toUpperCase()),
    ...[",", ", ", " "].map((mark) => bytes.join(mark)),
  ];
}

/** The base64 characters that depend on the text alone, for each offset in a group of three bytes. */
function inBase64(text: string): Spelling[] {
  const bytes = Buffer.from(text, "utf8");
  return [0, 1, 2].flatMap((offset) => {
    const [firstBit, lastBit] = [8 * offset, 8 * (offset + bytes.length)];
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const whole = encoded.slice(Math.ceil(firstBit / 6), Math.floor(lastBit / 6));
    const sharesBits = { before: firstBit % 6 !== 0, after: lastBit % 6 !== 0 };
    return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")].map((spelling) => ({
      bytes: spelling,
      sharesBits,
    }));
  });
}
