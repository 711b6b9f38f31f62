import { isLongerThan } from "../limits.js";
import { badRequest } from "../refusals.js";

/** What the path of every upload begins with; its `path_id` follows. */
export const uploadsPrefix = "/user_uploads/";

/** Most characters of the name of a file, as most file systems have it. */
const maxFileNameLength = 255;

/**
 * The name of an uploaded file as it is stored: as it was sent, but for the folders before it (RFC 7578, section 4.2). A file
 * without a name is called `file`. Throws a refusal.
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
 * The name of a file as the last segment of its path: letters and digits of ASCII, dots, dashes and underscores; accents fall away,
 * and what else there is becomes dashes. Names that are too long keep their end, where the extension is.
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

/** The media type of an upload as it is stored: without parameters, in lower case; for one that is none, that of any bytes. */
export function storedMediaType(sent: string): string {
  const type = sent.slice(0, 200).split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,60}$/.test(type) ? type : unknownType;
}

/** The Content-Type that an upload is served with. The type came from a client, so only harmless ones are passed on. */
export function servedContentType(mediaType: string): string {
  if (!served.has(mediaType)) return unknownType;
  return mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType;
}

/** Whether a browser may show the upload in place, rather than save it. */
export function isShownInPlace(mediaType: string): boolean {
  return images.includes(mediaType);
}
