import { percentDecodeBytes, percentEncodedByteAt } from "../percent-decode.js";
import { redacted } from "./redact.js";
import { urlSecrets } from "./url-secrets.js";

/** Shorter pieces of a URL are not secrets. */
const minSecretLength = 4;
/** How many layers of percent-encoding are removed from a text or URL. */
const maxLayers = 3;
/** Longer URLs are not taken apart: every piece of them counts as secret. */
const maxParsedUrl = 16_384;
const maxComparedUrl = 1_048_576;
/** Bounds of the search, as length of the text times length or number of what is searched for: at worst a quarter of a second. */
const maxSearchSteps = 5_000_000;
const maxComparisons = 50_000_000;

type Scrub = (text: string) => string;

/**
 * Makes a function that replaces the secrets of a URL in texts by `[redacted]`: the URL itself, its user name, password, path and
 * path segments, query and query values, fragment, and the same of URLs nested in these. It finds them in every percent-encoding,
 * and keeps pieces of fewer than four characters.
 *
 * It is the last line of defence behind errors and logs that hold no secrets in the first place: a piece of the URL that is also a
 * common word is replaced wherever it occurs, even in the host. `urlText` need not be a URL. Never throws. A text that would take
 * too long to search is replaced as a whole.
 */
export function createScrubber(urlText: string): Scrub {
  if (urlText.length > maxParsedUrl) return createCoarseScrubber(urlText);
  const secrets = [...new Set(urlSecrets(urlText).flatMap(spellings))].filter(
    (secret) => countCharacters(secret) >= minSecretLength && !redacted.includes(secret),
  );
  return (text) => {
    if (secrets.length === 0) return text;
    if (text.length * secrets.length > maxSearchSteps) return redacted;
    const marks = new Int32Array(text.length + 1);
    for (const view of decodedViews(text)) markSecrets(view, secrets, marks);
    return replaceMarked(text, marks);
  };
}

/** Replaces a text as a whole if it shares any four bytes with the URL. */
function createCoarseScrubber(urlText: string): Scrub {
  return (text) => {
    if (text.length < minSecretLength) return text;
    if (urlText.length > maxComparedUrl || text.length * urlText.length > maxComparisons) return redacted;
    const urls = decodings(utf8AsLatin1(urlText));
    const sharesBytes = decodedViews(text).some(({ bytes }) =>
      Array.from({ length: bytes.length - minSecretLength + 1 }, (_, at) => bytes.slice(at, at + minSecretLength)).some(
        (piece) => urls.some((url) => url.includes(piece)),
      ),
    );
    return sharesBytes ? redacted : text;
  };
}

/** A query may write a space as `+`. */
function spellings(secret: string): string[] {
  const withSpaces = [secret, secret.replaceAll("+", " ")].map(utf8AsLatin1).flatMap(decodings);
  return withSpaces.flatMap((bytes) => [bytes, bytes.replaceAll(" ", "+")]);
}

function decodings(bytes: string): string[] {
  const all = [bytes];
  for (let layer = 0; layer < maxLayers; layer++) all.push(percentDecoded(all[layer] ?? ""));
  return [...new Set(all)];
}

/** Counts characters, not bytes: continuation bytes of UTF-8 are skipped. */
function countCharacters(bytes: string): number {
  return bytes.replace(/[\x80-\xbf]/g, "").length;
}

/** Adds 1 where a secret begins in the text and -1 where it ends. */
function markSecrets({ bytes, from, to }: DecodedView, secrets: readonly string[], marks: Int32Array): void {
  for (const secret of secrets) {
    for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + 1)) {
      add(marks, from[at] ?? 0, 1);
      add(marks, to[at + secret.length - 1] ?? 0, -1);
    }
  }
}

function add(marks: Int32Array, at: number, change: number): void {
  marks[at] = (marks[at] ?? 0) + change;
}

/** Replaces each stretch that secrets cover without a gap. */
function replaceMarked(text: string, marks: Int32Array): string {
  let shown = "";
  let open = 0;
  let since = 0;
  for (const [at, mark] of marks.entries()) {
    if (mark === 0) continue;
    if (open === 0) {
      shown += text.slice(since, at) + redacted;
    }
    open += mark;
    since = at;
  }
  return shown + text.slice(since);
}

/** The UTF-8 bytes of a text with some layers of percent-encoding removed, and the place of each byte in the text. */
interface DecodedView {
  /** One character for each byte. */
  readonly bytes: string;
  /** Where the source of each byte begins in the text. */
  readonly from: readonly number[];
  /** Where the source of each byte ends. */
  readonly to: readonly number[];
}

/** The text itself, then without one, two, … layers of percent-encoding, until nothing is left to decode. */
function decodedViews(text: string): readonly DecodedView[] {
  const views = [viewOf(text)];
  for (let view = views[0]; view !== undefined && views.length <= maxLayers; ) {
    const next = decodeView(view);
    if (next.bytes.length === view.bytes.length) break;
    views.push(next);
    view = next;
  }
  return views;
}

function viewOf(text: string): DecodedView {
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (let rest = Buffer.byteLength(character); rest > 0; rest--) {
      from.push(at);
      to.push(end);
    }
    at = end;
  }
  return { bytes: utf8AsLatin1(text), from, to };
}

function decodeView(view: DecodedView): DecodedView {
  const from: number[] = [];
  const to: number[] = [];
  const source = Buffer.from(view.bytes, "latin1");
  for (let at = 0; at < source.length; ) {
    from.push(view.from[at] ?? 0);
    at += percentEncodedByteAt(source, at) === undefined ? 1 : 3;
    to.push(view.to[at - 1] ?? 0);
  }
  return { bytes: percentDecoded(view.bytes), from, to };
}

/** The UTF-8 bytes of a text, one character for each. */
function utf8AsLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function percentDecoded(bytes: string): string {
  return percentDecodeBytes(Buffer.from(bytes, "latin1")).toString("latin1");
}
