import { decodings } from "./mask/decodings.js";
import { findSecretFields } from "./mask/find-secret-fields.js";
import { createFinder, createSqueezedFinder } from "./mask/find-spellings.js";
import { merge } from "./mask/text-range.js";

/** What stands in the place of a secret. */
const masked = "***";

/** Secrets shorter than this are ignored: they would stand in every other word. */
const shortest = 4;

/**
 * Makes a function that puts `***` in the place of secrets, for every text that leaves a verification.
 *
 * Each secret is found as it is, percent-encoded (RFC 3986, wholly or in part, in either case of the digits), form-encoded, JSON-escaped,
 * in single quotes of a shell, as character references of HTML, in base64 or base64url (RFC 4648, also of a longer text that it stands in, such as `user:secret`), as hex
 * digits or a list of decimal numbers from 6 bytes on, in upper or lower case from 10 characters on, and in these one inside another, three
 * deep. From 10 letters and digits on, it is found with anything else between these, such as line breaks, spaces, hyphens and characters
 * that do not show. Secrets of fewer than 4 characters are ignored. What stands where secrets stand is masked without
 * being known: credentials in headers, in URLs and of `curl -u`, and fields such as `password`, `api_key` and `token` in headers, forms
 * and JSON. The work is linear in the text. Never throws.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter(({ length }) => length >= shortest);
  const [find, findSpread] = [createFinder(known), createSqueezedFinder(known)];
  return (text) => {
    const ranges = [...decodings(text)].flatMap(({ text: decoded, origin }) =>
      [...find(decoded), ...findSpread(decoded), ...findSecretFields(decoded)].map(({ start, end }) => ({
        start: origin(start),
        end: origin(end),
      })),
    );
    let result = "";
    let done = 0;
    for (const { start, end } of merge(ranges)) {
      result += text.slice(done, start) + masked;
      done = end;
    }
    return result + text.slice(done);
  };
}
