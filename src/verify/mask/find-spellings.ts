import { squeeze } from "./squeeze.js";
import type { TextRange } from "./text-range.js";

/** A text that gives a secret away. */
interface Spelling {
  readonly text: string;
  /** Whether the characters around it in base64 hold bits of the secret, too. */
  readonly open: { readonly before: boolean; readonly after: boolean };
}

/** Spellings are looked up by as many characters as the shortest has. */
const keyLength = 4;

/** Of fewer bytes the hex digits or numbers may well be those of something else, such as a list of ids. */
const fewestBytes = 6;

/** A shorter secret may well be a word that stands in a text in another case. */
const shortestInAnyCase = 10;

/**
 * Makes a function that finds secrets in a text: as they are, in base64, in upper or lower case when they are long, and their bytes as
 * hex digits or as a list of decimal numbers. A space and `+` are the same, as in a form.
 */
export function createFinder(secrets: readonly string[]): (text: string) => TextRange[] {
  return finderOf(secrets.flatMap(spellingsOf));
}

/**
 * Makes a function that finds the same in a text with anything between their characters that is no letter and no digit: spaces, line
 * breaks, hyphens, quotes, characters that do not show. Secrets with fewer than 10 letters and digits are ignored: these may well follow
 * one another by accident.
 */
export function createSqueezedFinder(secrets: readonly string[]): (text: string) => TextRange[] {
  const spellings = secrets
    .filter((secret) => squeeze(secret).text.length >= shortestInAnyCase)
    .flatMap(spellingsOf)
    .map(({ text, open }) => ({ text: squeeze(text).text, open }))
    .filter(({ text }) => text.length >= shortestInAnyCase);
  const find = finderOf(spellings);
  return (text) => {
    if (spellings.length === 0) return [];
    const { text: squeezed, origin } = squeeze(text);
    return find(squeezed).map(({ start, end }) => origin(start, end));
  };
}

function finderOf(spellings: Spelling[]): (text: string) => TextRange[] {
  const index = new Map<string, Spelling[]>();
  for (const spelling of spellings.sort((a, b) => b.text.length - a.text.length)) {
    const key = spelling.text.slice(0, keyLength);
    const others = index.get(key);
    if (others === undefined) index.set(key, [spelling]);
    else if (!others.some(({ text }) => text === spelling.text)) others.push(spelling);
  }
  const beginnings: true[] = [];
  for (const key of index.keys()) beginnings[key.charCodeAt(0)] = true;
  return (text) => {
    if (index.size === 0) return [];
    const folded = fold(text);
    const found: TextRange[] = [];
    for (let at = 0; at + keyLength <= folded.length; at++) {
      if (beginnings[folded.charCodeAt(at)] === undefined) continue;
      const spelling = index
        .get(folded.slice(at, at + keyLength))
        ?.find((candidate) => folded.startsWith(candidate.text, at));
      if (spelling !== undefined) found.push(widen(folded, at, spelling));
    }
    return found;
  };
}

function fold(text: string): string {
  return text.replaceAll("+", " ");
}

function spellingsOf(secret: string): Spelling[] {
  const plain = [secret, ...inOtherCase(secret), ...asBytes(secret)].map((text) => ({
    text: fold(text),
    open: { before: false, after: false },
  }));
  return [...plain, ...inBase64(secret)].filter(({ text }) => text.length >= keyLength);
}

function inOtherCase(secret: string): string[] {
  return secret.length < shortestInAnyCase ? [] : [secret.toLowerCase(), secret.toUpperCase()];
}

/** As Node, Go and others write bytes: `7a5f`, `7a 5f` in either case, `122,95`, `122, 95` and `122 95`. */
function asBytes(secret: string): string[] {
  const bytes = [...Buffer.from(secret, "utf8")];
  if (bytes.length < fewestBytes) return [];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const hex = ["", " "].map((separator) => digits.join(separator));
  return [...hex, ...hex.map((text) => text.toUpperCase()), ...[",", ", ", " "].map((mark) => bytes.join(mark))];
}

/** The characters of base64 that hold nothing but the secret, for each place that it can have among groups of three bytes. */
function inBase64(secret: string): Spelling[] {
  const bytes = Buffer.from(secret, "utf8");
  return [0, 1, 2].flatMap((offset) => {
    const [firstBit, lastBit] = [8 * offset, 8 * (offset + bytes.length)];
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const text = encoded.slice(Math.ceil(firstBit / 6), Math.floor(lastBit / 6));
    const open = { before: firstBit % 6 !== 0, after: lastBit % 6 !== 0 };
    return [text, text.replaceAll("+", "-").replaceAll("/", "_")].map((spelled) => ({ text: fold(spelled), open }));
  });
}

function widen(text: string, at: number, { text: { length }, open }: Spelling): TextRange {
  const start = open.before && isBase64(text.charAt(at - 1)) ? at - 1 : at;
  let end = open.after && isBase64(text.charAt(at + length)) ? at + length + 1 : at + length;
  if (open.after) while (end < at + length + 3 && text[end] === "=") end++;
  return { start, end };
}

function isBase64(character: string): boolean {
  return /^[A-Za-z0-9 /_-]$/.test(character);
}
