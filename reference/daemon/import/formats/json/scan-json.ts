/** Where a scan of JSON text stands. */
export interface JsonScan {
  readonly text: string;
  at: number;
  /** How many brackets are open, and the most there have been since somebody set this. */
  depth: number;
  deepest: number;
  inString: boolean;
  /** Where the stretch of text ends after which others have a turn. */
  stretchEnd: number;
}

const stretch = 64 * 1024;

/** Begins a scan at the start of a text. */
export function startScan(text: string): JsonScan {
  return { text, at: 0, depth: 0, deepest: 0, inString: false, stretchEnd: stretch };
}

/** Moves past white space and a character, if it comes next. */
export function enter(scan: JsonScan, character: "{" | "[" | ":" | ","): boolean {
  let { at } = scan;
  while (isSpace(scan.text.charCodeAt(at))) at++;
  if (scan.text[at] !== character) return false;
  scan.at = at + 1;
  return true;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/**
 * Moves to the `,`, `:`, `]` or `}` that ends a value or a name, or to the end of the text. False when it got through a stretch of the
 * text; called again, it goes on.
 */
export function skip(scan: JsonScan): boolean {
  const { text } = scan;
  const end = Math.min(scan.stretchEnd, text.length);
  while (scan.at < end) {
    if (scan.inString) passString(scan, end);
    else if (passPunctuation(scan, end)) return true;
  }
  if (scan.at >= text.length) return true;
  scan.stretchEnd += stretch;
  return false;
}

function passString(scan: JsonScan, end: number): void {
  const { text } = scan;
  let { at } = scan;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) {
      scan.inString = false;
      at++;
      break;
    }
  }
  scan.at = at;
}

/** Moves on until a string begins, or to what ends the value; tells whether it got there. */
function passPunctuation(scan: JsonScan, end: number): boolean {
  const { text } = scan;
  for (; scan.at < end; scan.at++) {
    switch (text.charCodeAt(scan.at)) {
      case quote:
        scan.inString = true;
        scan.at++;
        return false;
      case openBracket:
      case openBrace:
        scan.depth++;
        scan.deepest = Math.max(scan.deepest, scan.depth);
        break;
      case closeBracket:
      case closeBrace:
        if (scan.depth === 0) return true;
        scan.depth--;
        break;
      case comma:
      case colon:
        if (scan.depth === 0) return true;
        break;
    }
  }
  return false;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
