/** A text with encodings taken off. */
export interface Decoding {
  readonly text: string;
  /** Where a character of `text`, or its end, came from in the text that it was decoded from. */
  readonly origin: (index: number) => number;
}

/** Reads an escape at `at`: what it stands for, and how long it is. Undefined when there is none. */
type ReadEscape = (text: string, at: number) => { readonly value: string; readonly length: number } | undefined;

/** How many encodings are taken off one after another: JSON in a form in a command line has three. */
const deepest = 3;

const encodings: readonly { readonly mark: string; readonly read: ReadEscape }[] = [
  { mark: "%", read: readPercent },
  { mark: "\\", read: readJsonEscape },
  { mark: "'", read: readShellQuote },
  { mark: "&", read: readEntity },
];

/** The text itself, then what it is with encodings taken off, each text once. */
export function* decodings(text: string): Generator<Decoding> {
  const seen = new Set([text]);
  let layer: Decoding[] = [{ text, origin: (index) => index }];
  yield* layer;
  for (let depth = 0; depth < deepest; depth++) {
    const next: Decoding[] = [];
    for (const outer of layer) {
      for (const { mark, read } of encodings) {
        if (!outer.text.includes(mark)) continue;
        const inner = decode(outer, mark, read);
        if (seen.has(inner.text)) continue;
        seen.add(inner.text);
        next.push(inner);
      }
    }
    yield* next;
    layer = next;
  }
}

function decode({ text, origin }: Decoding, mark: string, read: ReadEscape): Decoding {
  const origins: number[] = [];
  let decoded = "";
  let at = 0;
  const copyUpTo = (end: number) => {
    decoded += text.slice(at, end);
    for (; at < end; at++) origins.push(origin(at));
  };
  for (let next = text.indexOf(mark); next >= 0; next = text.indexOf(mark, Math.max(at, next + 1))) {
    const found = read(text, next);
    if (found === undefined) continue;
    copyUpTo(next);
    for (let index = 0; index < found.value.length; index++) origins.push(origin(at));
    decoded += found.value;
    at += found.length;
  }
  copyUpTo(text.length);
  origins.push(origin(text.length));
  return { text: decoded, origin: (index) => origins[index] ?? 0 };
}

/** One character in UTF-8, `%` before each byte. What is no UTF-8 is left as it is. */
function readPercent(text: string, at: number): ReturnType<ReadEscape> {
  const first = byteAt(text, at);
  if (first === undefined) return undefined;
  if (first < 0x80) return { value: String.fromCharCode(first), length: 3 };
  const count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  const bytes = Array.from({ length: count }, (_, index) => byteAt(text, at + 3 * index));
  if (count === 0 || !bytes.every((byte) => byte !== undefined)) return undefined;
  const value = Buffer.from(bytes).toString("utf8");
  return value.includes("\ufffd") && value !== "\ufffd" ? undefined : { value, length: 3 * count };
}

function byteAt(text: string, at: number): number | undefined {
  const digits = text.slice(at + 1, at + 3);
  return text[at] === "%" && /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

const jsonEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** RFC 8259, section 7. */
function readJsonEscape(text: string, at: number): ReturnType<ReadEscape> {
  const next = text.charAt(at + 1);
  const value = jsonEscapes.get(next);
  if (value !== undefined) return { value, length: 2 };
  const digits = text.slice(at + 2, at + 6);
  if (next !== "u" || !/^[0-9a-f]{4}$/i.test(digits)) return undefined;
  return { value: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
}

/** The named entities of ASCII (HTML, section 13.5), and of what does not show. */
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

/** A character reference of HTML. Browsers read numbers without the semicolon, too. */
function readEntity(text: string, at: number): ReturnType<ReadEscape> {
  const pattern = /&(?:#x0*([0-9a-f]{1,6});?|#0*([0-9]{1,7});?|([A-Za-z]{2,16});)/iy;
  pattern.lastIndex = at;
  const [whole, hex, decimal, name = ""] = pattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const number = hex ?? decimal;
  const code = number === undefined ? undefined : Number.parseInt(number, hex === undefined ? 10 : 16);
  if (code !== undefined && code > 0x10ffff) return undefined;
  const value = code === undefined ? entities.get(name) : String.fromCodePoint(code);
  return value === undefined ? undefined : { value, length: whole.length };
}

/** A single quote within single quotes: the quotes end, it stands escaped, and they begin again. */
function readShellQuote(text: string, at: number): ReturnType<ReadEscape> {
  return text.startsWith("'\\''", at) ? { value: "'", length: 4 } : undefined;
}
