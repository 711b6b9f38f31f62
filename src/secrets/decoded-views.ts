import { type Encoding, encodings } from "./encodings.js";
import type { TextRange } from "./text-range.js";
import { utf8Bytes } from "./utf8.js";

/** A text with some layers of encodings removed. */
export interface DecodedView {
  /** UTF-8, one character for each byte: percent-encoding and escapes of programs encode bytes, not characters. */
  readonly bytes: string;
  /** Maps a range of `bytes` to the range of the text that it was decoded from. */
  readonly source: (range: TextRange) => TextRange;
}

/** Which encodings are removed, and how many of the resulting views are searched. */
export interface DecodeOptions {
  /** Defaults to all. */
  readonly encodings?: readonly Encoding[];
  /** Defaults to the number that three layers of four encodings can give. */
  readonly maxViews?: number;
}

/** JSON inside a form inside a command line has three layers. */
const defaultMaxViews = 1 + 4 + 4 ** 2 + 4 ** 3;

/** The text itself, then views with one encoding removed, with two, and so on. Each view is different. */
export function* decodedViews(
  text: string,
  { encodings: removed = encodings, maxViews = defaultMaxViews }: DecodeOptions = {},
): Generator<DecodedView> {
  const first = firstLayer(text);
  const seen = new Set([first.bytes]);
  const queue = [first];
  for (let layer = queue.shift(); layer !== undefined; layer = queue.shift()) {
    yield toView(layer);
    for (const encoding of removed) {
      if (seen.size >= maxViews) break;
      const decoded = decode(layer, encoding);
      if (decoded === undefined || seen.has(decoded.bytes)) continue;
      seen.add(decoded.bytes);
      queue.push(decoded);
    }
  }
}

/** Finds ranges in a text by searching each of its decoded views. */
export function searchDecoded(
  text: string,
  find: (bytes: string) => readonly TextRange[],
  options?: DecodeOptions,
): TextRange[] {
  return [...decodedViews(text, options)].flatMap(({ bytes, source }) => find(bytes).map(source));
}

interface Layer {
  readonly bytes: string;
  /** Where the source of each byte begins in the text, then the length of the text. Undefined if every byte is at its own index. */
  readonly starts: Int32Array | undefined;
}

function toView({ bytes, starts }: Layer): DecodedView {
  if (starts === undefined) return { bytes, source: (range) => range };
  const source = ({ start, end }: TextRange) => {
    let next = end;
    // The bytes of one character or escape have the same source.
    while (next < bytes.length && starts[next] === starts[end - 1]) next++;
    return { start: starts[start] ?? 0, end: starts[next] ?? 0 };
  };
  return { bytes, source };
}

function firstLayer(text: string): Layer {
  const bytes = utf8Bytes(text);
  // Every character beyond ASCII has several bytes.
  if (bytes.length === text.length) return { bytes, starts: undefined };
  const starts = new Int32Array(bytes.length + 1);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    for (const end = length + utf8Length(code); length < end; length++) starts[length] = at;
    at += code > 0xffff ? 2 : 1;
  }
  starts[length] = text.length;
  return { bytes, starts };
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** Removes one layer of an encoding. Undefined if there is nothing to decode. */
function decode({ bytes, starts }: Layer, { mark, read }: Encoding): Layer | undefined {
  let next = bytes.indexOf(mark);
  if (next < 0) return undefined;
  const decoded = Buffer.alloc(bytes.length);
  const decodedStarts = new Int32Array(bytes.length + 1);
  let [at, length] = [0, 0];
  const copyUpTo = (end: number) => {
    for (; at < end; at++) {
      decoded[length] = bytes.charCodeAt(at);
      decodedStarts[length++] = starts?.[at] ?? at;
    }
  };
  for (; next >= 0; next = bytes.indexOf(mark, Math.max(at, next + 1))) {
    const found = read(bytes, next);
    if (found === undefined) continue;
    copyUpTo(next);
    for (let index = 0; index < found.value.length; index++) {
      decoded[length] = found.value.charCodeAt(index);
      decodedStarts[length++] = starts?.[at] ?? at;
    }
    at += found.length;
  }
  if (at === 0) return undefined;
  copyUpTo(bytes.length);
  decodedStarts[length] = starts?.[at] ?? at;
  return { bytes: decoded.toString("latin1", 0, length), starts: decodedStarts.slice(0, length + 1) };
}
