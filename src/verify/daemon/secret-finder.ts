import { setImmediate } from "node:timers/promises";
import { decodedViews } from "../../secrets/decoded-views.js";
import { createSpellingFinder, type FindRanges } from "../../secrets/find-spellings.js";
import { literalSpelling, type Spelling, spellingsOf } from "../../secrets/spellings.js";
import { utf8Bytes } from "../../secrets/utf8.js";

/** Shorter secrets are parts of others, and other spellings of them would be found by accident. */
const minSpelledLength = 6;

/**
 * Creates a function that returns the secrets that a text shows in any spelling of `spellingsOf`, under any encoding of `decodedViews`.
 * Source: proto/README.md, section "Spellings of a secret".
 *
 * A secret of less than six characters, which is a part of another, is found only verbatim.
 */
export function createSecretFinder(secrets: readonly string[]): (text: string) => string[] {
  const findAny = createSpellingFinder(secrets.flatMap(searchedSpellings));
  const finders = secrets.map((secret) => ({ secret, find: createSpellingFinder(searchedSpellings(secret)) }));
  return (text) => {
    const views = viewsWithMatches(text, findAny);
    return finders.filter(({ find }) => views.some((bytes) => find(bytes).length > 0)).map(({ secret }) => secret);
  };
}

function searchedSpellings(secret: string): Spelling[] {
  return secret.length < minSpelledLength ? [literalSpelling(utf8Bytes(secret))] : spellingsOf(secret);
}

/** Whether a text holds a secret verbatim, or percent-encoded as in URLs. */
export function showsPlainly(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)));
}

function viewsWithMatches(text: string, find: FindRanges): string[] {
  return [...decodedViews(text)].map(({ bytes }) => bytes).filter((bytes) => find(bytes).length > 0);
}

const pieceLength = 65_536;
/** The maximum length of a spelling that is found where the text is cut. */
const overlap = 4096;

/**
 * Searches a text of any length for secrets, piece by piece, so that it does not block the event loop: a MiB of text takes
 * about 50 ms, and up to two seconds if it consists of nested escapes. Rejects only when aborted.
 */
export async function showsSecret(
  text: string,
  find: (text: string) => readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  for (let start = 0; ; start += pieceLength - overlap) {
    if (find(text.slice(start, start + pieceLength)).length > 0) return true;
    if (start + pieceLength >= text.length) return false;
    await setImmediate(undefined, signal === undefined ? {} : { signal });
  }
}
