import { badRequest } from "../bad-request.js";
import { isLongerThan } from "../limits.js";

/** Most characters of a full name, counted in Unicode code points. */
const maxFullNameLength = 100;

/**
 * The full name that a request means: without white space at its ends, JSON-encoded before level 106 (Versioning). Throws a refusal
 * when it is empty, too long, or has characters that are none to be seen, such as line breaks.
 */
export function readFullName(text: string, isPlain: boolean): string {
  const name = (isPlain ? text : decoded(text)).trim();
  if (name === "") throw badRequest("full_name is empty");
  if (isLongerThan(name, maxFullNameLength))
    throw badRequest(`full_name is longer than ${maxFullNameLength} characters`);
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name))
    throw badRequest("full_name has characters that cannot stand in a name");
  return name;
}

function decoded(text: string): string {
  const value = parsed(text);
  if (typeof value !== "string") throw badRequest("full_name is not a JSON-encoded string");
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
