import { searchDecoded } from "../secrets/decoded-views.js";
import { createSpellingFinder, type FindRanges } from "../secrets/find-spellings.js";
import { createSpreadFinder } from "../secrets/find-spread-spellings.js";
import { spellingsOf } from "../secrets/spellings.js";
import { replaceRanges } from "../secrets/text-range.js";
import { findSecretFields } from "./find-secret-fields.js";

/** Replaces masked text. */
export const maskedText = "***";

/** Shorter secrets are ignored: they may be a part of any word. */
const minSecretLength = 4;

/**
 * Creates a function that replaces secrets with `***`, for every text that leaves a verification.
 *
 * It finds each secret in every spelling of `spellingsOf`, under every encoding of `decodedViews`, and with anything but letters and
 * digits between its characters if it has at least 10 of these. Ignores secrets of fewer than 4 characters.
 *
 * It also masks what is secret by its place: credentials in headers, in URLs and of `curl -u`, and fields such as `password`,
 * `api_key` and `token` in headers, forms and JSON. Takes time proportional to the length of the text. Never throws.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  let finders: readonly FindRanges[] | undefined;
  return (text) => {
    if (text === "") return text;
    // Listing all spellings takes longer than most checks, and a passed check shows no text.
    finders ??= createFinders(secrets);
    const all = finders;
    const ranges = searchDecoded(text, (bytes) => all.flatMap((find) => find(bytes)));
    return replaceRanges(text, ranges, maskedText);
  };
}

function createFinders(secrets: readonly string[]): readonly FindRanges[] {
  const known = [...new Set(secrets)].filter(({ length }) => length >= minSecretLength);
  return [createSpellingFinder(known.flatMap(spellingsOf)), createSpreadFinder(known), findSecretFields];
}
