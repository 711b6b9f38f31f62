import { badRequest } from "../bad-request.js";
import { isLongerThan } from "../limits.js";

/** Most characters of the name of a file, as most file systems have it. */
const longest = 255;

/**
 * The name of an uploaded file as it is stored: as it was sent, but for the folders before it (RFC 7578, section 4.2). A file
 * without a name is called `file`. Throws a refusal.
 */
export function fileName(path: string): string {
  const sent = path.split(/[\\/]/).at(-1) ?? "";
  if (isLongerThan(sent, longest)) throw badRequest(`The name of the file is longer than ${longest} characters`);
  if (/\p{Cc}|\p{Cs}/u.test(sent)) throw badRequest("The name of the file has control characters");
  return sent === "" ? "file" : sent;
}
