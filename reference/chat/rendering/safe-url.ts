import { parseUrl } from "../../../src/base/parse-url.js";
import { percentDecodeStrictly } from "../../../src/base/percent-decode.js";
import { uploadsPrefix } from "../uploads/file-metadata.js";

/**
 * The `rel` of every link in a message: the linked page learns nothing about the chat, and search engines do not follow the
 * link.
 */
export const linkRel = "noopener noreferrer nofollow";

// Base for parsing; only the path of the result is used.
const baseUrl = "http://base.invalid";
// Browsers resolve these before the request, even if percent-encoded.
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

function hasDotSegment(url: string): boolean {
  return dotSegment.test(url.replace(/[?#].*$/s, ""));
}

/**
 * Returns the path_id in a relative URL of an upload: the part after `/user_uploads/`, without query and fragment,
 * percent-decoded. Undefined for any other URL, and for a path that leaves the folder.
 */
export function uploadPath(url: string): string | undefined {
  if (!url.startsWith(uploadsPrefix) || parseUrl(url, baseUrl) === undefined) return undefined;
  if (hasDotSegment(url)) return undefined;
  const path = percentDecodeStrictly(new URL(url, baseUrl).pathname.slice(uploadsPrefix.length));
  if (path === undefined || /[\\\p{Cc}]/u.test(path)) return undefined;
  const segments = path.split("/");
  return segments.some((segment) => segment === "" || segment === "." || segment === "..") ? undefined : path;
}

/** Whether a URL is external: absolute, with the scheme http, https or mailto, and valid. */
export function isExternalUrl(url: string): boolean {
  return (/^https?:\/\/[^/\\]/i.test(url) || /^mailto:[^/\\]/i.test(url)) && parseUrl(url) !== undefined;
}

/** Whether a message may link a URL: an external URL, the relative URL of an upload, or a fragment within the application. */
export function isLinkableUrl(url: string): boolean {
  return isExternalUrl(url) || uploadPath(url) !== undefined || /^#narrow\/[\w./%-]+$/.test(url);
}

/** Whether a linkifier may link a URL: an external URL, or an unambiguous path on this server. */
export function isLinkifierUrl(url: string): boolean {
  if (isExternalUrl(url)) return true;
  if (!url.startsWith("/") || hasDotSegment(url)) return false;
  return parseUrl(url, baseUrl)?.origin === baseUrl;
}
