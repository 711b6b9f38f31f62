/** A range of a text, from `start` up to, but not including, `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The UTF-8 bytes of a text, one character for each byte, because percent-encoding escapes bytes. */
export function utf8Bytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** How often JSON may quote other JSON. Each time doubles its backslashes. */
export const maxQuotes = 5;

/**
 * Finds ranges in bytes as they are, percent-decoded, with JSON escapes decoded, percent-decoded before that, as JSON in a form, and with
 * JSON escapes decoded several times, as a JSON body that another quotes, which a third may; each of these without the escapes of HTML and
 * XML; and each of all with the lines of server-sent events joined.
 */
export function searchDecoded<Range extends TextRange>(
  bytes: string,
  find: (bytes: string) => readonly Range[],
): Range[] {
  const plain = { bytes, sourceOf: (at: number) => at };
  const unescaped = decode(plain, percentEncoding);
  const views = [plain, unescaped, unescaped && decode(unescaped, jsonEscapes)].filter((view) => view !== undefined);
  let json = decode(plain, jsonEscapes);
  for (let depth = 1; json !== undefined; depth++) {
    views.push(json);
    json = depth < maxQuotes ? decode(json, jsonEscapes) : undefined;
  }
  views.push(...views.flatMap((view) => decode(view, markupEscapes) ?? []));
  views.push(...views.flatMap((view) => continuations.flatMap((one) => decode(view, one) ?? [])));
  return views.flatMap((view) => find(view.bytes).map((range) => atSource(range, view)));
}

/** Bytes that may have been decoded. */
interface View {
  readonly bytes: string;
  /** Maps an index of the bytes to the original. */
  readonly sourceOf: (at: number) => number;
}

interface Encoding {
  readonly escapes: RegExp;
  readonly decode: (escaped: string) => string;
}

/** RFC 3986, section 2.1. */
const percentEncoding: Encoding = {
  escapes: /%[\da-f]{2}/gi,
  decode: (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)),
};

/** RFC 8259, section 7. A surrogate pair is one escape. */
const jsonEscapes: Encoding = {
  escapes: /\\(?:u(?:[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F]|[\da-fA-F]{2})[\da-fA-F]{2}|["\\/bf]|[nrt])/g,
  decode: (escaped) => utf8Bytes(String(JSON.parse(`"${escaped}"`))),
};

/** What is between the lines of one server-sent event, which a reader joins by a line break, and a careless one without it. */
const continuations: readonly Encoding[] = ["\n", ""].map((joint) => ({
  escapes: /(?:\r\n|\n|\r)data: ?/g,
  decode: () => joint,
}));

const markupNames: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The escapes of HTML and XML, by which pages of errors repeat what they got. */
const markupEscapes: Encoding = {
  escapes: /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g,
  decode: (escaped) => {
    const name = escaped.slice(1, -1);
    const code = Number.parseInt(name.replace(/^#[xX]?/, ""), /^#[xX]/.test(name) ? 16 : 10);
    return markupNames[name] ?? (code > lastCodePoint ? escaped : utf8Bytes(String.fromCodePoint(code)));
  },
};

const lastCodePoint = 0x10ffff;

/** Undefined if there is nothing to decode. */
function decode({ bytes, sourceOf }: View, encoding: Encoding): View | undefined {
  const pieces: string[] = [];
  const sources = new Int32Array(bytes.length + 1);
  let [at, length] = [0, 0];
  const keepUpTo = (end: number) => {
    pieces.push(bytes.slice(at, end));
    for (; at < end; at++) sources[length++] = sourceOf(at);
  };
  for (const { 0: escaped, index } of bytes.matchAll(encoding.escapes)) {
    keepUpTo(index);
    const decoded = encoding.decode(escaped);
    pieces.push(decoded);
    sources.fill(sourceOf(at), length, length + decoded.length);
    length += decoded.length;
    at += escaped.length;
  }
  if (at === 0) return undefined;
  keepUpTo(bytes.length);
  sources[length] = sourceOf(at);
  return { bytes: pieces.join(""), sourceOf: (index) => sources[index] ?? 0 };
}

function atSource<Range extends TextRange>(range: Range, { sourceOf }: View): Range {
  return { ...range, start: sourceOf(range.start), end: sourceOf(range.end) };
}
