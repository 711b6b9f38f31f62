import { percentEncodedByteAt } from "../percent-decode.js";
import { utf8Bytes } from "./utf8.js";

/** An encoding that escapes some bytes and leaves the others unchanged. */
export interface Encoding {
  /** How each escape begins. */
  readonly mark: string;
  /** Reads the escape at an index. Undefined if there is none. */
  readonly read: (bytes: string, at: number) => Escape | undefined;
}

/** The bytes that an escape stands for, and the length of the escape. */
interface Escape {
  readonly value: string;
  readonly length: number;
}

/** Percent-encoding (RFC 3986, section 2.1). */
export const percentEncoding: Encoding = {
  mark: "%",
  read: (bytes, at) => {
    const byte = percentEncodedByteAt(bytes, at);
    return byte === undefined ? undefined : { value: String.fromCharCode(byte), length: 3 };
  },
};

/** Escapes of JSON (RFC 8259, section 7), programming languages and shells. A backslash before any other character is dropped. */
const backslashes: Encoding = {
  mark: "\\",
  read: (bytes, at) => {
    const codePoint = readCharacter(bytes, at, readUnicodeEscape);
    if (codePoint !== undefined) return codePoint;
    byteEscape.lastIndex = at;
    const [whole, hex, octal] = byteEscape.exec(bytes) ?? [];
    if (whole !== undefined) {
      const byte = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
      return { value: String.fromCharCode(byte), length: whole.length };
    }
    const next = bytes.charAt(at + 1);
    return next === "" ? undefined : { value: controlCharacters.get(next) ?? next, length: 2 };
  },
};

const byteEscape = /\\(?:x([\da-f]{2})|([0-3][0-7]{2}))/iy;
const unicodeEscape = /\\u(?:([\da-f]{4})|\{([\da-f]{1,6})\})/iy;

const controlCharacters: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** A single quote within a single-quoted word of a shell: the quotes end, an escaped quote follows, and they begin again. */
const shellQuotes: Encoding = {
  mark: "'",
  read: (bytes, at) => (bytes.startsWith("'\\''", at) ? { value: "'", length: 4 } : undefined),
};

/** Character references of HTML. */
const characterReferences: Encoding = {
  mark: "&",
  read: (bytes, at) => {
    const numeric = readCharacter(bytes, at, readNumericReference);
    if (numeric !== undefined) return numeric;
    namedReference.lastIndex = at;
    const [whole = "", name = ""] = namedReference.exec(bytes) ?? [];
    const value = entities.get(name);
    return value === undefined ? undefined : { value: utf8Bytes(value), length: whole.length };
  },
};

/** Browsers accept numeric references without a semicolon. */
const numericReference = /&#(?:x0*([\da-f]{1,6})|0*(\d{1,7}));?/iy;
const namedReference = /&([A-Za-z]{2,16});/y;

/** All encodings. */
export const encodings: readonly Encoding[] = [percentEncoding, backslashes, shellQuotes, characterReferences];

interface CodePoint {
  readonly code: number;
  readonly length: number;
}

/** Reads a character that is escaped as one code point or as a surrogate pair. */
function readCharacter(
  bytes: string,
  at: number,
  read: (bytes: string, at: number) => CodePoint | undefined,
): Escape | undefined {
  const first = read(bytes, at);
  if (first === undefined || first.code > 0x10ffff) return undefined;
  const second = isHighSurrogate(first.code) ? read(bytes, at + first.length) : undefined;
  if (second !== undefined && isLowSurrogate(second.code)) {
    const pair = String.fromCharCode(first.code, second.code);
    return { value: utf8Bytes(pair), length: first.length + second.length };
  }
  return { value: utf8Bytes(String.fromCodePoint(first.code)), length: first.length };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function readUnicodeEscape(bytes: string, at: number): CodePoint | undefined {
  unicodeEscape.lastIndex = at;
  const [whole, short, long] = unicodeEscape.exec(bytes) ?? [];
  return whole === undefined ? undefined : { code: Number.parseInt(short ?? long ?? "", 16), length: whole.length };
}

function readNumericReference(bytes: string, at: number): CodePoint | undefined {
  numericReference.lastIndex = at;
  const [whole, hex, decimal] = numericReference.exec(bytes) ?? [];
  if (whole === undefined) return undefined;
  return { code: hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), length: whole.length };
}

/** Named character references (HTML, section 13.5) of ASCII and of invisible characters. */
const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Tab: "\t",
    NewLine: "\n",
    nbsp: "\u00a0",
    shy: "\u00ad",
    ZeroWidthSpace: "\u200b",
    zwnj: "\u200c",
    zwj: "\u200d",
    excl: "!",
    quot: '"',
    QUOT: '"',
    num: "#",
    dollar: "$",
    percnt: "%",
    amp: "&",
    AMP: "&",
    apos: "'",
    lpar: "(",
    rpar: ")",
    ast: "*",
    midast: "*",
    plus: "+",
    comma: ",",
    period: ".",
    sol: "/",
    colon: ":",
    semi: ";",
    lt: "<",
    LT: "<",
    equals: "=",
    gt: ">",
    GT: ">",
    quest: "?",
    commat: "@",
    lsqb: "[",
    lbrack: "[",
    bsol: "\\",
    rsqb: "]",
    rbrack: "]",
    Hat: "^",
    lowbar: "_",
    UnderBar: "_",
    grave: "`",
    DiacriticalGrave: "`",
    lcub: "{",
    lbrace: "{",
    verbar: "|",
    vert: "|",
    VerticalLine: "|",
    rcub: "}",
    rbrace: "}",
  }),
);
