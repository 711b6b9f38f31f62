import type { Spelling } from "./spellings.js";
import type { TextRange } from "./text-range.js";

/** Finds ranges in bytes. */
export type FindRanges = (bytes: string) => TextRange[];

/** The number of first bytes by which spellings are looked up. Shorter spellings are ignored. */
const keyLength = 4;

/**
 * Creates a function that finds all occurrences of spellings. It finds the longest of several spellings that begin at
 * the same place. Does not distinguish `+` from a space, because forms write a space as `+`.
 */
export function createSpellingFinder(spellings: readonly Spelling[]): FindRanges {
  const index = toIndex(spellings);
  const firstBytes = new Uint8Array(256);
  for (const key of index.keys()) firstBytes[key.charCodeAt(0)] = 1;
  return (bytes) => {
    if (index.size === 0) return [];
    const text = foldSpaces(bytes);
    const found: TextRange[] = [];
    for (let at = 0; at + keyLength <= text.length; at++) {
      if (firstBytes[text.charCodeAt(at)] === 0) continue;
      const candidates = index.get(text.slice(at, at + keyLength));
      const spelling = candidates && longestAt(text, at, candidates);
      if (spelling !== undefined) found.push(widen(text, at, spelling));
    }
    return found;
  };
}

interface IndexedSpelling extends Spelling {
  /** The longest other spelling that this one begins with. */
  readonly prefix: IndexedSpelling | undefined;
}

/** Spellings by their key, sorted. A URL can have thousands with the same key. */
function toIndex(spellings: readonly Spelling[]): ReadonlyMap<string, readonly IndexedSpelling[]> {
  const folded = new Map(
    spellings.map(({ bytes, sharesBits }) => [foldSpaces(bytes), { bytes: foldSpaces(bytes), sharesBits }]),
  );
  const index = new Map<string, IndexedSpelling[]>();
  let previous: IndexedSpelling | undefined;
  const sorted = [...folded.values()].sort((a, b) => (a.bytes < b.bytes ? -1 : 1));
  for (const { bytes, sharesBits } of sorted.filter((spelling) => spelling.bytes.length >= keyLength)) {
    let prefix = previous;
    while (prefix !== undefined && !bytes.startsWith(prefix.bytes)) prefix = prefix.prefix;
    previous = { bytes, sharesBits, prefix };
    const key = bytes.slice(0, keyLength);
    const others = index.get(key);
    if (others === undefined) index.set(key, [previous]);
    else others.push(previous);
  }
  return index;
}

/** Finds the longest candidate at an index of a text: the last that does not sort after the text, or a prefix of that candidate. */
function longestAt(text: string, at: number, candidates: readonly IndexedSpelling[]): Spelling | undefined {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { bytes = "" } = candidates[middle] ?? {};
    if (bytes <= text.slice(at, at + bytes.length)) low = middle + 1;
    else high = middle;
  }
  let candidate: IndexedSpelling | undefined = candidates[low - 1];
  while (candidate !== undefined && !text.startsWith(candidate.bytes, at)) candidate = candidate.prefix;
  return candidate;
}

function foldSpaces(bytes: string): string {
  return bytes.replaceAll("+", " ");
}

/** Includes the base64 characters before and after that also hold bits of the secret. */
function widen(text: string, at: number, { bytes: { length }, sharesBits }: Spelling): TextRange {
  const start = sharesBits.before && isBase64(text.charAt(at - 1)) ? at - 1 : at;
  let end = sharesBits.after && isBase64(text.charAt(at + length)) ? at + length + 1 : at + length;
  if (sharesBits.after) while (end < at + length + 3 && text[end] === "=") end++;
  return { start, end };
}

/** Includes the space, which stands for `+` as well. */
function isBase64(character: string): boolean {
  return /^[A-Za-z0-9 /_-]$/.test(character);
}
