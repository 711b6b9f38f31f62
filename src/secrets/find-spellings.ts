import type { Spelling } from "./spellings.js";
import type { TextRange } from "./text-range.js";

/** Finds ranges in bytes. */
export type FindRanges = (bytes: string) => TextRange[];

/** Shorter spellings are ignored. Others are looked up by as many bytes. */
const keyLength = 4;

/**
 * Makes a function that finds all occurrences of spellings, in time proportional to the length of the bytes. Of spellings that begin
 * at the same place, it finds the longest. Does not distinguish `+` from a space, because forms write a space as `+`.
 */
export function createSpellingFinder(spellings: readonly Spelling[]): FindRanges {
  const index = new Map<string, Spelling[]>();
  const folded = spellings.map(({ bytes, open }) => ({ bytes: foldSpaces(bytes), open }));
  for (const spelling of folded.sort((a, b) => b.bytes.length - a.bytes.length)) {
    if (spelling.bytes.length < keyLength) break;
    const key = spelling.bytes.slice(0, keyLength);
    const others = index.get(key);
    if (others === undefined) index.set(key, [spelling]);
    else others.push(spelling);
  }
  const firstBytes = new Uint8Array(256);
  for (const key of index.keys()) firstBytes[key.charCodeAt(0)] = 1;
  return (bytes) => {
    if (index.size === 0) return [];
    const text = foldSpaces(bytes);
    const found: TextRange[] = [];
    for (let at = 0; at + keyLength <= text.length; at++) {
      if (firstBytes[text.charCodeAt(at)] === 0) continue;
      const candidates = index.get(text.slice(at, at + keyLength));
      const spelling = candidates?.find((candidate) => text.startsWith(candidate.bytes, at));
      if (spelling !== undefined) found.push(widen(text, at, spelling));
    }
    return found;
  };
}

function foldSpaces(bytes: string): string {
  return bytes.replaceAll("+", " ");
}

/** Includes the base64 characters before and after that also hold bits of the secret. */
function widen(text: string, at: number, { bytes: { length }, open }: Spelling): TextRange {
  const start = open.before && isBase64(text.charAt(at - 1)) ? at - 1 : at;
  let end = open.after && isBase64(text.charAt(at + length)) ? at + length + 1 : at + length;
  if (open.after) while (end < at + length + 3 && text[end] === "=") end++;
  return { start, end };
}

/** The space stands for `+`. */
function isBase64(character: string): boolean {
  return /^[A-Za-z0-9 /_-]$/.test(character);
}
