import type { CutItem } from "./cut-items.js";

/**
 * Cuts a flow sequence into its items, by brackets, commas and quotes. It begins at `start`, behind its bracket, and ends at the one
 * that closes it, or with the text. Where no item ends for long, it gives undefined.
 */
export function* cutFlowItems(text: string, start: number): Generator<CutItem | undefined> {
  let item = start;
  let progress = start;
  let depth = 0;
  let quote = 0;
  /** The last character that is neither white space nor in a comment. */
  let before = comma;
  for (let at = start; at < text.length; at++) {
    if (at - progress > charactersInAStep) {
      progress = at;
      yield undefined;
    }
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      // Behind a backslash, or doubled, a quote is one of the text.
      const isDouble = quote === doubleQuote;
      if (isDouble ? code === backslash : code === quote && text.charCodeAt(at + 1) === quote) at++;
      else if (code === quote) quote = 0;
      continue;
    }
    if (isSpace(code)) continue;
    if (code === hash && isSpace(text.charCodeAt(at - 1))) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
      continue;
    }
    // Elsewhere, a quote is a character like any other.
    if ((code === singleQuote || code === doubleQuote) && opensQuotes.has(before)) quote = code;
    else if (code === openBracket || code === openBrace) depth++;
    else if (depth > 0 && (code === closeBracket || code === closeBrace)) depth--;
    else if (depth === 0 && (code === comma || code === closeBracket || code === closeBrace)) {
      if (before !== comma) yield { start: item, end: at };
      if (code !== comma) return;
      item = at + 1;
      progress = at;
    }
    // A colon ends a key when white space follows, or when the key is in quotes.
    const isInText =
      code === colon && !isSpace(text.charCodeAt(at + 1)) && before !== singleQuote && before !== doubleQuote;
    before = isInText ? 0 : code;
  }
  if (before !== comma) yield { start: item, end: text.length };
}

const charactersInAStep = 16 * 1024;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09;
}

const doubleQuote = 0x22;
const hash = 0x23;
const singleQuote = 0x27;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const opensQuotes: ReadonlySet<number> = new Set([comma, colon, openBracket, openBrace]);
