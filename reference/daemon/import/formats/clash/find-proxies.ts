import { isItemLine, nextLine } from "./cut-items.js";

/** Where the list of proxies is, and how it is written. */
export interface FoundProxies {
  /** Where the line with its key begins. */
  readonly keyLine: number;
  /** A block sequence, one in brackets, or nothing: `[]`, null or no value. */
  readonly layout: "block" | "flow" | "empty";
  /** Where the first item begins: the start of its line, or behind the bracket. */
  readonly start: number;
}

/**
 * Finds the top-level key `proxies`, or `Proxy` of older versions. Undefined when there is none, or its value is written in a way that
 * is not known.
 */
export function findProxies(text: string): FoundProxies | undefined {
  for (const key of keys) {
    const keyLine = text.startsWith(key) ? 0 : text.indexOf(`\n${key}`) + 1;
    if (text.startsWith(key, keyLine)) return findValue(text, keyLine, keyLine + key.length);
  }
  return undefined;
}

const keys = ["proxies:", "Proxy:"];

/** Only blank lines and comments may stand between the key and the first item. */
function findValue(text: string, keyLine: number, afterKey: number): FoundProxies | undefined {
  const behindKey = headOfLine(text, afterKey);
  if (emptyValue.test(behindKey)) return { keyLine, layout: "empty", start: afterKey };
  const bracket = /^\s+\[/.exec(behindKey)?.[0].length;
  if (bracket !== undefined) return { keyLine, layout: "flow", start: afterKey + bracket };
  if (!blankOrComment.test(behindKey)) return undefined;
  let line = nextLine(text, afterKey);
  for (let lines = 0; lines < mostLines && line < text.length; lines++) {
    if (isItemLine(text, line)) return { keyLine, layout: "block", start: line };
    const head = headOfLine(text, line);
    if (otherKey.test(head)) return { keyLine, layout: "empty", start: line };
    if (!blankOrComment.test(head)) return undefined;
    line = nextLine(text, line);
  }
  return line < text.length ? undefined : { keyLine, layout: "empty", start: line };
}

function headOfLine(text: string, from: number): string {
  return text.slice(from, Math.min(nextLine(text, from), from + longestHead));
}

const mostLines = 1_000;
const longestHead = 1_000;
const blankOrComment = /^\s*(?:$|#)/;
const emptyValue = /^\s+(?:~|null|Null|NULL|\[\s*\])\s*(?:$|\s#)/;
const otherKey = /^[\w"'][^\n:#]*:\s/;
