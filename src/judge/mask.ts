import { searchDecoded, type TextRange, utf8Bytes } from "../secrets/decoded-views.js";
import { createSpellingFinder } from "../secrets/find-secrets.js";
import { noSecretPlaces, type SecretPlaces } from "../secrets/secret-places.js";
import { createPlaceFinder, findSecretFields } from "./find-secret-fields.js";

/** Replaces masked text. */
export const maskedText = "***";

/**
 * Creates a function that replaces secrets with `***`, for every text that leaves a verification. It finds the secrets in the spellings
 * of `createFinder`; secrets of fewer than 4 characters are ignored.
 *
 * It also masks what is secret by its place: credentials in headers, in URLs and of `curl -u`, and fields such as `password`,
 * `api_key` and `token` in headers, forms and JSON, and what stands at the given places. Takes time proportional to the length of the text. Never throws.
 */
export function createMask(
  secrets: readonly string[],
  places: SecretPlaces = noSecretPlaces,
): (text: string) => string {
  const findPlaces = createPlaceFinder(places);
  let find: ReturnType<typeof createSpellingFinder> | undefined;
  return (text) => {
    // A passed check shows no text.
    find ??= createSpellingFinder(secrets);
    const findSecrets = find;
    const bytes = utf8Bytes(text);
    const ranges = searchDecoded<TextRange>(bytes, (view) => [
      ...findSecrets(view),
      ...findSecretFields(view),
      ...findPlaces(view),
    ]);
    return ranges.length === 0 ? text : Buffer.from(mask(bytes, ranges), "latin1").toString("utf8");
  };
}

/** Masks ranges; those that overlap or touch are masked once. */
function mask(bytes: string, ranges: readonly TextRange[]): string {
  let result = "";
  let covered = -1;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > covered) result += bytes.slice(Math.max(covered, 0), start) + maskedText;
    covered = Math.max(covered, end);
  }
  return result + bytes.slice(covered);
}
