import { isLongerThan } from "../limits.js";
import { badRequest } from "../refusals.js";

/** Prefix of the path of every upload, before its `path_id`. */
export const uploadsPrefix = "/user_uploads/";

/** Maximum length of a file name, as in most file systems. */
const maxFileNameLength = 255;

/**
 * Returns the file name to store: the sent name without folders (RFC 7578, section 4.2), or `file` if it is empty. Throws a
 * refusal if the name is invalid.
 */
export function fileName(path: string): string {
  const sent = path.split(/[\\/]/).at(-1) ?? "";
  if (isLongerThan(sent, maxFileNameLength))
    throw badRequest(`The name of the file is longer than ${maxFileNameLength} characters`);
  if (/\p{Cc}|\p{Cs}/u.test(sent)) throw badRequest("The name of the file has control characters");
  return sent === "" ? "file" : sent;
}

const maxSegmentLength = 100;

/**
 * Converts a file name to a path segment: keeps ASCII letters and digits, dots, dashes and underscores, removes accents, and
 * replaces everything else with dashes. Cuts long names at the start, to keep the extension.
 */
export function sanitizeName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/-*\.[.-]*/g, ".")
    .replace(/-{2,}/g, "-")
    .slice(-maxSegmentLength)
    .replace(/^[.-]+/, "")
    .replace(/[.-]+$/, "");
  return plain === "" ? "file" : plain;
}

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const others = [
  "text/plain",
  "application/pdf",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "audio/mp4",
  "video/mp4",
  "video/ogg",
  "video/webm",
];
const served = new Set([...images, ...others]);
const unknownType = "application/octet-stream";

/** The media type to store: lower case, without parameters; `application/octet-stream` if it is invalid. */
export function storedMediaType(sent: string): string {
  const type = sent.slice(0, 200).split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,60}$/.test(type) ? type : unknownType;
}

/** The Content-Type to serve an upload with. The stored type comes from a client, so only harmless ones are used. */
export function servedContentType(mediaType: string): string {
  if (!served.has(mediaType)) return unknownType;
  return mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType;
}

/** Whether a browser may display the upload inline instead of saving it. */
export function isDisplayedInline(mediaType: string): boolean {
  return images.includes(mediaType);
}
