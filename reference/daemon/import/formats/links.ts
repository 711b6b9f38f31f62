import type { Entry } from "../entry.js";
import { parseLink } from "../schemes/parse-link.js";

/** Reads share links, one per line. Undefined if no line starts like a link, unless all lines are blank or comments. */
export function readUriList(text: string): Iterable<Entry> | undefined {
  if (hasLink(text)) return readLines(text);
  return hasContent.test(text) || text.includes("\ufffd") ? undefined : [];
}

/**
 * Reads a base64-encoded list of share links (RFC 4648): standard or URL-safe alphabet, with or without padding, with
 * white space anywhere. Decodes only once; a list that is encoded twice is not recognized.
 */
export function readBase64UriList(text: string): Iterable<Entry> | undefined {
  if (neitherBase64NorSpace.test(text)) return undefined;
  const digits = text.replace(/\s+/g, "");
  if (!isBase64(digits)) return undefined;
  return readUriList(Buffer.from(digits, "base64").toString().replace(/\r\n?/g, "\n").trim());
}

const neitherBase64NorSpace = /[^\w+/=\s-]/;

/** Node's own decoder skips invalid characters. */
function isBase64(digits: string): boolean {
  const padding = /={0,2}$/.exec(digits.slice(-2))?.[0].length ?? 0;
  const length = digits.length - padding;
  const isPaddedRight = padding === 0 || digits.length % 4 === 0;
  return length > 0 && length % 4 !== 1 && isPaddedRight && !digits.slice(0, length).includes("=");
}

/**
 * Whether a line of the text starts with a known or unknown scheme. Never true for a web page. Stops at the first link,
 * because text can be long.
 */
function hasLink(text: string): boolean {
  const head = text.slice(0, maxHeadLength);
  return !head.startsWith("<") && lineWithScheme.test(head);
}

const maxHeadLength = 256 * 1024;
const lineWithScheme = /^[a-z][a-z0-9+.-]{0,29}:\/\//im;

/** Blank lines and comments are not entries. Some panels write headers as comments. */
function* readLines(text: string): Generator<Entry> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    if (!blankOrComment.test(line)) yield parseLink(line);
    start = end + 1;
  }
}

/** Matches if a line is neither blank nor a comment. */
const hasContent = /^(?![^\S\n]*(?:$|#|;|\/\/))/m;
const blankOrComment = /^\s*(?:$|#|;|\/\/)/;
