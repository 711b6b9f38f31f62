import { percentEncode } from "../base/percent-encode.js";
import { searchDecoded, type TextRange, utf8Bytes } from "./decoded-views.js";

/** A place that shows a secret. */
interface FoundSecret extends TextRange {
  readonly secret: string;
}

/** Shorter secrets are ignored, because they may be a part of any word. */
const minLength = 4;
/** Shorter secrets are not searched for in base64, of which they leave a few characters, and in hexadecimal digits. */
const minLengthInDigits = 6;

/**
 * Creates a function that finds secrets in UTF-8 bytes: verbatim, with escapes of percent-encoding or JSON, and in base64 or hexadecimal
 * digits, also as a part of a longer text. Source: proto/README.md, section "Spellings of a secret".
 *
 * Of several secrets that begin at the same place, it finds the longest. Takes time proportional to the length of the bytes.
 */
export function createFinder(secrets: readonly string[]): (bytes: string) => FoundSecret[] {
  const find = createSpellingFinder(secrets);
  return (bytes) => searchDecoded(bytes, find);
}

const pieceLength = 65_536;
/** The maximum length of a spelling that is compared as a whole. Of a longer one, this much shows the secret. */
export const maxSpellingLength = 4096;

/** Creates a function that returns the secrets that a text shows. It searches a long text in pieces, to bound the memory. */
export function createSecretFinder(secrets: readonly string[]): (text: string) => string[] {
  const find = createFinder(secrets);
  return (text) => {
    const bytes = utf8Bytes(text);
    const shown = new Set<string>();
    for (let start = 0; start < bytes.length; start += pieceLength - maxSpellingLength)
      for (const { secret } of find(bytes.slice(start, start + pieceLength))) shown.add(secret);
    // A secret may be a part of another.
    return secrets.filter((secret) => [...shown].some((one) => one.includes(secret)));
  };
}

interface Spelling {
  readonly secret: string;
  readonly bytes: string;
  /** The beginning, which is searched for. */
  readonly head: string;
  /** Whether the base64 characters just before and just after also encode bits of the secret. */
  readonly sharesBits: { readonly before: boolean; readonly after: boolean };
}

/** Finds secrets that no escape interrupts. */
export function createSpellingFinder(secrets: readonly string[]): (bytes: string) => FoundSecret[] {
  const spellings = [...new Set(secrets)].filter(({ length }) => length >= minLength).flatMap(spellingsOf);
  const byKey = new Map<string, Spelling[]>();
  const firstPairs = new Uint8Array(2 ** 16);
  for (const spelling of spellings.sort((a, b) => b.bytes.length - a.bytes.length)) {
    const key = spelling.bytes.slice(0, minLength);
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [spelling]);
    else others.push(spelling);
    firstPairs[pairAt(key, 0)] = 1;
  }
  return (bytes) => {
    const text = foldSpaces(bytes);
    const found: FoundSecret[] = [];
    const readUntil = new Map<Spelling, number>();
    for (let at = 0; at + minLength <= text.length; at++) {
      if (firstPairs[pairAt(text, at)] === 0) continue;
      const candidates = byKey.get(text.slice(at, at + minLength));
      // Much faster than `startsWith` for long texts.
      const spelling = candidates?.find(({ head }) => text.slice(at, at + head.length) === head);
      if (spelling === undefined) continue;
      // The rest is read once, because a spelling that repeats itself is found everywhere in it.
      const known = readUntil.get(spelling) ?? 0;
      const end = at < known ? Math.max(known, at + spelling.head.length) : endOf(text, at, spelling);
      readUntil.set(spelling, end);
      found.push(widen(bytes, { start: at, end }, spelling));
    }
    return found;
  };
}

function pairAt(bytes: string, at: number): number {
  return bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1);
}

/** Forms write a space as `+`, so both count as the same. */
function foldSpaces(bytes: string): string {
  return bytes.replaceAll("+", " ");
}

function spellingsOf(secret: string): Spelling[] {
  // URLs are quoted in base64, and percent-encoded within other URLs.
  const texts = [...new Set([secret, percentEncode(secret)])];
  const decodable = [...new Set([...texts, JSON.stringify(secret).slice(1, -1)])];
  const verbatim = texts.map((text) => ({ bytes: utf8Bytes(text), sharesBits: aligned }));
  const all =
    secret.length < minLengthInDigits
      ? verbatim
      : [...verbatim, ...decodable.flatMap((text) => [...inBase64(text), ...inHex(text)])];
  return all.map(({ bytes, sharesBits }) => {
    const folded = foldSpaces(bytes);
    return { secret, bytes: folded, head: folded.slice(0, maxSpellingLength), sharesBits };
  });
}

const aligned: Spelling["sharesBits"] = { before: false, after: false };

function inHex(text: string): Pick<Spelling, "bytes" | "sharesBits">[] {
  const digits = Buffer.from(text, "utf8").toString("hex");
  return [digits, digits.toUpperCase()].map((bytes) => ({ bytes, sharesBits: aligned }));
}

/** The base64 characters that depend on the text alone, in both alphabets (RFC 4648), for each offset in a group of three bytes. */
function inBase64(text: string): Pick<Spelling, "bytes" | "sharesBits">[] {
  const bytes = Buffer.from(text, "utf8");
  return [0, 1, 2].flatMap((offset) => {
    const [firstBit, lastBit] = [8 * offset, 8 * (offset + bytes.length)];
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const whole = encoded.slice(Math.ceil(firstBit / 6), Math.floor(lastBit / 6));
    const sharesBits = { before: firstBit % 6 !== 0, after: lastBit % 6 !== 0 };
    return [...new Set([whole, whole.replaceAll("+", "-").replaceAll("/", "_")])].map((spelling) => ({
      bytes: spelling,
      sharesBits,
    }));
  });
}

/** Where a spelling ends whose head is at `at`, as far as the text has it. */
function endOf(text: string, at: number, { bytes, head }: Spelling): number {
  let length = head.length;
  while (length < bytes.length && text.charCodeAt(at + length) === bytes.charCodeAt(length)) length++;
  return at + length;
}

/** Includes the characters of base64 before and after that also hold bits of the secret. */
function widen(bytes: string, range: TextRange, { secret, sharesBits }: Spelling): FoundSecret {
  const start = sharesBits.before && isBase64(bytes.charAt(range.start - 1)) ? range.start - 1 : range.start;
  let { end } = range;
  if (sharesBits.after) {
    if (isBase64(bytes.charAt(end))) end++;
    while (end < range.end + 3 && bytes[end] === "=") end++;
  }
  return { secret, start, end };
}

function isBase64(character: string): boolean {
  return /^[A-Za-z0-9+/_-]$/.test(character);
}
