import { decodedViews, searchDecoded } from "../secrets/decoded-views.js";
import { percentEncoding } from "../secrets/encodings.js";
import { createSpellingFinder } from "../secrets/find-spellings.js";
import { literalSpelling } from "../secrets/spellings.js";
import { replaceRanges } from "../secrets/text-range.js";
import { countCharacters } from "../secrets/utf8.js";
import { redacted } from "./redact.js";
import { urlSecrets } from "./url-secrets.js";

/** Shorter pieces of a URL are not secrets. */
const minSecretLength = 4;
/**
 * Only percent-encoding is removed, three layers from a text and from a URL. A URL has hundreds of pieces as short as a
 * word, so the other encodings and spellings that a verification searches for would cost too much here and redact
 * harmless words.
 */
const decodeOptions = { encodings: [percentEncoding], maxViews: 4 };
/** Longer URLs are not parsed: every piece of them counts as secret. */
const maxParsedUrl = 16_384;
/** For longer URLs, every text is replaced. */
const maxComparedUrl = 1_048_576;
/**
 * Maximum length of a text times the number of secrets, or, for a long URL, times its length. At worst, a search takes a
 * quarter of a second.
 */
const maxSearchSteps = 5_000_000;
const maxComparisons = 50_000_000;

type Scrub = (text: string) => string;

/**
 * Creates a function that replaces the secrets of a URL in texts with `[redacted]`: the URL itself, its user name,
 * password, path and path segments, query and query values, fragment, and the same parts of URLs nested in these. It
 * finds them under up to three layers of percent-encoding, and keeps pieces of fewer than four characters.
 *
 * It is the last line of defence behind errors and logs that hold no secrets in the first place: a piece of the URL that is also a
 * common word is replaced wherever it occurs, even in the host. `urlText` need not be a URL. Never throws. A text is replaced as a
 * whole if it would take too long to search, or if it shares four bytes with a `urlText` of more than 16,384 characters.
 */
export function createScrubber(urlText: string): Scrub {
  if (urlText.length > maxParsedUrl) return createCoarseScrubber(urlText);
  const secrets = [...new Set(urlSecrets(urlText).flatMap(decodings))].filter(
    (secret) => countCharacters(secret) >= minSecretLength && !redacted.includes(secret),
  );
  const find = createSpellingFinder(secrets.map(literalSpelling));
  return (text) => {
    if (text.length * secrets.length > maxSearchSteps) return redacted;
    return replaceRanges(text, searchDecoded(text, find, decodeOptions), redacted);
  };
}

/** Replaces a text as a whole if it shares any four bytes with the URL. */
function createCoarseScrubber(urlText: string): Scrub {
  return (text) => {
    if (text.length < minSecretLength) return text;
    if (urlText.length > maxComparedUrl || text.length * urlText.length > maxComparisons) return redacted;
    const urls = decodings(urlText);
    const sharesBytes = decodings(text).some((bytes) =>
      Array.from({ length: bytes.length - minSecretLength + 1 }, (_, at) => bytes.slice(at, at + minSecretLength)).some(
        (piece) => urls.some((url) => url.includes(piece)),
      ),
    );
    return sharesBytes ? redacted : text;
  };
}

function decodings(text: string): string[] {
  return [...decodedViews(text, decodeOptions)].map(({ bytes }) => bytes);
}
