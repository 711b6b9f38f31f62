import { StringDecoder } from "node:string_decoder";
import type { Format } from "./format.js";
import { hasLink } from "./has-link.js";
import { readLinks } from "./read-links.js";

/**
 * A list of share links in base64 (RFC 4648): the standard or the URL-safe alphabet, with padding or without, with white space
 * anywhere. It is decoded once; what comes out in base64 again is no list.
 */
export const base64UriList: Format = {
  name: "base64-uri-list",
  open: (text) => (startsWithList(text) && isBase64(text) ? readLinks(decodedLines(text)) : undefined),
};

function startsWithList(text: string): boolean {
  const head = text.slice(0, longestHead).replace(whiteSpace, "");
  const quads = head.slice(0, head.length - (text.length > longestHead ? head.length % 4 : 0));
  return headOfBase64.test(quads) && hasLink(Buffer.from(quads, "base64").toString().replace(/^\s+/, ""));
}

const longestHead = 64 * 1024;
const headOfBase64 = /^[\w+/-]+={0,2}$/;
const whiteSpace = /\s+/g;

/** Node's own decoder skips what it does not know, so the text is looked through before. */
function isBase64(text: string): boolean {
  let digits = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    switch (kinds[text.charCodeAt(at)]) {
      case digit:
        if (padding > 0) return false;
        digits++;
        break;
      case equalsSign:
        padding++;
        break;
      case space:
        break;
      default:
        return false;
    }
  }
  return digits % 4 !== 1 && (padding === 0 || (padding <= 2 && (digits + padding) % 4 === 0));
}

const digit = 1;
const equalsSign = 2;
const space = 3;
/** What each ASCII character is; 0 has no place in base64. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\w+/-]/.test(character)) return digit;
  return character === "=" ? equalsSign : /\s/.test(character) ? space : 0;
});

/** Decodes piece by piece, with a pause after each. */
function* decodedLines(text: string): Generator<string | undefined> {
  const decoder = new StringDecoder("utf8");
  let digits = "";
  let line = "";
  for (let start = 0; start < text.length; start += digitsInAStep) {
    digits += text.slice(start, start + digitsInAStep).replace(whiteSpace, "");
    const quads = digits.slice(0, digits.length - (digits.length % 4));
    digits = digits.slice(quads.length);
    const [rest = "", ...lines] = decoder.write(Buffer.from(quads, "base64")).split(lineEnd);
    line += rest;
    for (const next of lines) {
      yield line;
      line = next;
    }
    yield undefined;
  }
  yield line + decoder.write(Buffer.from(digits, "base64")) + decoder.end();
}

const digitsInAStep = 16 * 1024;
/** A line feed that is cut off from its carriage return makes a blank line, which is no entry. */
const lineEnd = /\r\n?|\n/;
