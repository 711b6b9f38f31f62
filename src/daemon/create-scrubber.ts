import { bytesOf, percentDecoded, type Reading, readings } from "./percent-decoded.js";
import { redacted } from "./redact.js";
import { urlSecrets } from "./url-secrets.js";

const shortestSecret = 4;
/** How often a text, or a URL, is taken to be percent-encoded at most. */
const layers = 3;
/** A URL beyond this length is not taken apart, only compared. */
const longestUrl = 16_384;
const longestComparedUrl = 1_048_576;
/** Length of the text times what is searched for: steps that take a quarter of a second at the very worst. */
const mostSteps = 5_000_000;
const mostComparisons = 50_000_000;

type Scrub = (text: string) => string;

/**
 * Makes a function that takes the secrets of a URL out of texts: the URL itself, its user name, password, path and segments of the
 * path, query and values in the query, fragment, and the same of a URL that is nested in one of them. They are found in every
 * percent-encoding, and each becomes `[redacted]`. Pieces of fewer than four characters are left.
 *
 * It is a last line behind errors and logs that hold no secrets to begin with: a piece of the URL that is also a common word is
 * taken out wherever it stands, even of the host. The text that is given may be no URL at all. Never throws. What would take
 * too long to search becomes `[redacted]` as a whole.
 */
export function createScrubber(urlText: string): Scrub {
  if (urlText.length > longestUrl) return createCoarseScrubber(urlText);
  const secrets = [...new Set(urlSecrets(urlText).flatMap(spellings))].filter(
    (secret) => lengthOf(secret) >= shortestSecret && !redacted.includes(secret),
  );
  return (text) => {
    if (secrets.length === 0) return text;
    if (text.length * secrets.length > mostSteps) return redacted;
    const marks = new Int32Array(text.length + 1);
    for (const reading of readings(text, layers)) markSecrets(reading, secrets, marks);
    return replaceMarked(text, marks);
  };
}

/** Takes out the whole text when the smallest piece of it is also in the URL. */
function createCoarseScrubber(urlText: string): Scrub {
  return (text) => {
    if (text.length < shortestSecret) return text;
    if (urlText.length > longestComparedUrl || text.length * urlText.length > mostComparisons) return redacted;
    const urls = decodings(bytesOf(urlText));
    const shared = readings(text, layers).some(({ bytes }) =>
      Array.from({ length: bytes.length - shortestSecret + 1 }, (_, at) => bytes.slice(at, at + shortestSecret)).some(
        (piece) => urls.some((url) => url.includes(piece)),
      ),
    );
    return shared ? redacted : text;
  };
}

/** In a query, `+` and a space are the same. */
function spellings(secret: string): string[] {
  const withSpaces = [secret, secret.replaceAll("+", " ")].map(bytesOf).flatMap(decodings);
  return withSpaces.flatMap((bytes) => [bytes, bytes.replaceAll(" ", "+")]);
}

function decodings(bytes: string): string[] {
  const all = [bytes];
  for (let layer = 0; layer < layers; layer++) all.push(percentDecoded(all[layer] ?? ""));
  return [...new Set(all)];
}

/** In characters; bytes that go on with a character do not count. */
function lengthOf(bytes: string): number {
  return bytes.replace(/[\x80-\xbf]/g, "").length;
}

/** Counts, for each place of the text, how many secrets begin there, less how many end there. */
function markSecrets({ bytes, from, to }: Reading, secrets: readonly string[], marks: Int32Array): void {
  for (const secret of secrets) {
    for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + 1)) {
      change(marks, from[at] ?? 0, 1);
      change(marks, to[at + secret.length - 1] ?? 0, -1);
    }
  }
}

function change(marks: Int32Array, at: number, by: number): void {
  marks[at] = (marks[at] ?? 0) + by;
}

/** Replaces each stretch in which there is always a secret that has begun and not ended. */
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
