import { createSpellingFinder, type FindRanges } from "./find-spellings.js";
import { minLengthInAnyCase, spellingsOf } from "./spellings.js";
import type { TextRange } from "./text-range.js";
import { countCharacters, utf8Bytes } from "./utf8.js";

/** Shorter sequences of letters and digits may occur by accident. */
const minCharacters = minLengthInAnyCase;

/**
 * Creates a function that finds spellings of secrets even if anything but letters and digits stands between their characters: spaces,
 * line breaks, hyphens, quotes, invisible characters. Ignores spellings with fewer than 10 letters and digits.
 *
 * It may find too much, which is right for masking but not for proving that a server shows a secret.
 */
export function createSpreadFinder(secrets: readonly string[]): FindRanges {
  const spellings = secrets
    .filter((secret) => isLongEnough(squeeze(utf8Bytes(secret)).bytes))
    .flatMap(spellingsOf)
    .map(({ bytes, sharesBits }) => ({ bytes: squeeze(bytes).bytes, sharesBits }))
    .filter(({ bytes }) => isLongEnough(bytes));
  if (spellings.length === 0) return () => [];
  const find = createSpellingFinder(spellings);
  return (bytes) => {
    const squeezed = squeeze(bytes);
    return find(squeezed.bytes).map(squeezed.source);
  };
}

function isLongEnough(bytes: string): boolean {
  return countCharacters(bytes) >= minCharacters;
}

/** The letters and digits of a text. */
interface Squeezed {
  readonly bytes: string;
  /** Maps a range of `bytes` to the original bytes. */
  readonly source: (range: TextRange) => TextRange;
}

const isLetterOrDigit = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Removes everything but letters and digits of the basic plane from UTF-8 bytes. */
function squeeze(bytes: string): Squeezed {
  const origins = new Int32Array(bytes.length);
  const pieces: string[] = [];
  let kept = 0;
  let pieceStart = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes.charCodeAt(at));
    const end = at + length;
    if (isLetterOrDigit[codePointAt(bytes, at, length)] === 1) {
      while (at < end) origins[kept++] = at++;
    } else {
      if (pieceStart < at) pieces.push(bytes.slice(pieceStart, at));
      pieceStart = end;
      at = end;
    }
  }
  pieces.push(bytes.slice(pieceStart));
  return {
    bytes: pieces.join(""),
    source: ({ start, end }) => ({ start: origins[start] ?? 0, end: (origins[end - 1] ?? 0) + 1 }),
  };
}

/** The length of the UTF-8 sequence that a byte begins (RFC 3629, section 3). */
function sequenceLength(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** The code point of a UTF-8 sequence of at most three bytes. 0 for a longer or malformed one. */
function codePointAt(bytes: string, at: number, length: number): number {
  const first = bytes.charCodeAt(at);
  const [second, third] = [bytes.charCodeAt(at + 1) & 0x3f, bytes.charCodeAt(at + 2) & 0x3f];
  if (length === 1) return first < 0x80 ? first : 0;
  if (length === 2) return ((first & 0x1f) << 6) | second;
  return length === 3 ? ((first & 0x0f) << 12) | (second << 6) | third : 0;
}
